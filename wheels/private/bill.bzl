"""The bill of materials of a wheel: what goes into it, as JSON for the SBOM and the provenance (go/materials).

    load("//wheels/private:bill.bzl", "BILL_ATTRS", "write_bill")

    def _impl(ctx):
        bill = write_bill(ctx, compiler = ctx.toolchains[DRIVER_TOOLCHAIN].zig_cc_info)

Everything in it is known before the wheel is built, from third_party/pins.json and the target.
"""

load("//third_party:repositories.bzl", "PINS")
load("//toolchains/cc:runtimes.bzl", "RUNTIMES")
load("//toolchains/python:defs.bzl", "PythonPackageInfo")

BILL_ATTRS = {
    "vendored": attr.string_list(
        doc = """Libraries whose source is inside the upstream source and whose code is in the wheel, each
`NAME@VERSION SPDX-EXPRESSION`, such as `libsoxr@0.1.3 LGPL-2.1-or-later`.""",
    ),
    "_licenses": attr.label(
        doc = "Licence texts of the runtimes.",
        default = "//toolchains/cc:licenses",
        cfg = "exec",
    ),
}

# A file of a pin, by its name.
_BY_FILE = {info.file: name for name, info in PINS.items() if info.file}

def _material(pin):
    info = PINS[pin]
    return struct(name = pin, version = info.version, purl = info.purl, file = info.file, sha256 = info.sha256, commit = info.purl.rpartition("@")[2] if info.purl.startswith("pkg:github/") else "")

def _tool(pin):
    # Of a tool with a file per machine, what is the same on all of them.
    info = PINS[pin]
    return struct(name = info.purl.rpartition("@")[0].rpartition("/")[2], version = info.version, purl = info.purl)

def _vendored(label, text):
    library, _, license = text.partition(" ")
    name, _, version = library.partition("@")
    if not (name and version and license):
        fail("%s: vendored has %r, which is not NAME@VERSION SPDX-EXPRESSION" % (label, text))
    return struct(name = name, version = version, license = license)

def _runtime(ctx, runtime):
    for file in ctx.files._licenses:
        if file.path.endswith("/" + runtime.text):
            return struct(name = runtime.name, version = runtime.version, license = runtime.license, markers = runtime.markers, text = file.path)
    fail("%s: no licence of %s among //toolchains/cc:licenses" % (ctx.label, runtime.name))

def _pins_of(wheels):
    return [_BY_FILE[file.basename] for file in wheels if file.basename in _BY_FILE]

# nvcc's components for the machine that compiles, as toolchains/cuda names their pins.
_CUDA = ["nvidia_cuda_nvcc", "nvidia_nvvm"]

def write_bill(ctx, *, compiler, patches = [], requires = [], target_requires = [], runtime = None, cuda = False, parameters = {}):
    """Declares the bill of a wheel.

    Args:
      ctx: of a rule with BILL_ATTRS, `pin` and `platform`.
      compiler: ZigCcInfo of the target.
      patches: Files, the patches of the source, in order.
      requires: targets with PythonPackageInfo, what the back end imports.
      target_requires: targets with PythonPackageInfo, whose headers are compiled in.
      runtime: PythonRuntimeInfo of the interpreter that ran the back end; None if there was none.
      cuda: whether nvcc compiled a part of it.
      parameters: dict, what else was asked of the build.

    Returns:
      struct(file, inputs): the JSON File, and the Files that it names.
    """
    direct = [package[PythonPackageInfo] for package in requires]
    targets = [package[PythonPackageInfo] for package in target_requires]
    wheels = depset(transitive = [info.wheels for info in direct + targets]).to_list()
    tools = {tool.purl: tool for tool in [_tool(pin) for pin in _pins_of([info.wheel for info in direct])]}
    zig = _toolchain_pin(compiler.zig.owner.workspace_name)
    compilers = [zig] if zig else []
    if zig and cuda:
        compilers += ["%s_%s" % (component, zig.removeprefix("ziglang_")) for component in _CUDA]
    for pin in compilers:
        tool = _tool(pin)
        tools[tool.purl] = tool
    interpreter = _toolchain_pin_of(runtime) if runtime else None
    dependencies = compilers + ([interpreter] if interpreter else []) + _pins_of(wheels)
    bill = ctx.actions.declare_file(ctx.label.name + ".bill.json")
    ctx.actions.write(bill, json.encode_indent(struct(
        pin = ctx.attr.pin,
        platform = ctx.attr.platform,
        target = "//%s:%s" % (ctx.label.package, ctx.label.name),
        source = _material(ctx.attr.pin),
        patches = [struct(name = patch.short_path, path = patch.path) for patch in patches],
        vendored = [_vendored(ctx.label, text) for text in ctx.attr.vendored],
        runtimes = [_runtime(ctx, one) for one in RUNTIMES[ctx.attr.platform]],
        tools = [tools[key] for key in sorted(tools)],
        dependencies = [_material(pin) for pin in dependencies],
        parameters = parameters,
    ), indent = "  ") + "\n")
    return struct(file = bill, inputs = patches + ctx.files._licenses)

def _toolchain_pin(workspace_name):
    # The canonical name of a pin's repository ends with the pin; "~" separates in Bazel 7, "+" later.
    name = workspace_name.replace("+", "~").rpartition("~")[2]
    return name if name in PINS else None

def _toolchain_pin_of(runtime):
    # //toolchains/python:runtime_MACHINE is made from one of these pins.
    machine = runtime.tree.basename.removeprefix("runtime_")
    for pin in ["cpython_" + machine, "cpython_standalone_" + machine]:
        if pin in PINS:
            return pin
    return None
