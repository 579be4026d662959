"""`archive_file`: a file at a fixed address."""

load(":fetch.bzl", "FETCH_ATTRS", "address", "fetch_file")

def _archive_file_impl(rctx):
    fetch_file(
        rctx,
        rctx.attr.urls[0].rpartition("/")[2],
        lambda rctx: address(rctx.attr.urls),
        strip_prefix = rctx.attr.strip_prefix,
    )

archive_file = repository_rule(
    implementation = _archive_file_impl,
    doc = "A file at a fixed address that is no package registry's.",
    attrs = FETCH_ATTRS | {
        "strip_prefix": attr.string(doc = "Folder to strip from the members' names when there is an overlay."),
        "urls": attr.string_list(doc = "Addresses of the same bytes, tried in order.", mandatory = True),
    },
)
