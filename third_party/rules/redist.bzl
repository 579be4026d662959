"""`redist_file`: a component of NVIDIA's redistributable archives (CUDA toolkit, cuDNN)."""

load(":fetch.bzl", "FETCH_ATTRS", "address", "fetch_file", "no_address")
load(":manifest.bzl", "manifest_entry")
load(":page.bzl", "read_page")

# NVIDIA's own server; fetching from it is subject to NVIDIA's licence, and nothing of it is passed on.
_BASES = {
    "cuda": "https://developer.download.nvidia.com/compute/cuda/redist",
    "cudnn": "https://developer.download.nvidia.com/compute/cudnn/redist",
}

def _resolve(rctx):
    attr = rctx.attr
    base = rctx.os.environ.get("NVIDIA_REDIST_URL", "")
    base = base.rstrip("/") + "/" + attr.product if base else _BASES[attr.product]
    url = "{}/redistrib_{}.json".format(base, attr.release)
    page = read_page(rctx, url)
    if page.error:
        return no_address("could not read NVIDIA's manifest {}: {}; check the network, ".format(url, page.error) +
                          "set NVIDIA_REDIST_URL to a mirror, or put {} into --distdir".format(attr.file))
    entry = manifest_entry(json.decode(page.text), attr.component, attr.version, attr.platform, attr.archive)
    error = entry.error
    if not error and entry.path.rpartition("/")[2] != attr.file:
        error = "names the archive {}, the pin gives {}".format(entry.path.rpartition("/")[2], attr.file)
    if not error and entry.sha256 != attr.sha256:
        error = "says that {} has sha256 {}, third_party/pins.json says {}".format(attr.file, entry.sha256, attr.sha256)
    if error:
        fail("pin \"{}\": the manifest {} {}".format(rctx.original_name, url, error))
    return address([base + "/" + entry.path])

redist_file = repository_rule(
    implementation = lambda rctx: fetch_file(
        rctx,
        rctx.attr.file,
        _resolve,
        # Every archive has a single root folder named like the archive.
        strip_prefix = rctx.attr.file.removesuffix(".zip").removesuffix(".tar.xz"),
    ),
    doc = """An archive that NVIDIA's manifest redistrib_<release>.json names.

The manifest's version and hash must be the pin's. An entry with several archives is refused unless the pin names one.""",
    attrs = FETCH_ATTRS | {
        "archive": attr.string(doc = "File name of the archive, where the manifest's entry has several."),
        "component": attr.string(doc = "The component's key in the manifest.", mandatory = True),
        "file": attr.string(doc = "The archive's file name.", mandatory = True),
        "platform": attr.string(doc = "The platform's key in the manifest.", mandatory = True),
        "product": attr.string(doc = "cuda or cudnn.", mandatory = True, values = ["cuda", "cudnn"]),
        "release": attr.string(doc = "The manifest's release.", mandatory = True),
        "version": attr.string(doc = "The component's version.", mandatory = True),
    },
)
