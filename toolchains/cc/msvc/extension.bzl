"""The module extension `visual_cpp`: Microsoft's compiler, where the machine has it."""

load("//toolchains/cc/msvc/private:repository.bzl", "visual_cpp_repository")

def _visual_cpp_impl(mctx):
    visual_cpp_repository(name = "visual_cpp")
    return mctx.extension_metadata(
        root_module_direct_deps = ["visual_cpp"],
        root_module_direct_dev_deps = [],
    )

visual_cpp = module_extension(
    implementation = _visual_cpp_impl,
    doc = "The repository `visual_cpp`, whose found.bzl says which Visual C++ and Windows SDK are there, or what is missing.",
)
