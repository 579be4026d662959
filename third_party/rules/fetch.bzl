"""What the repository rules for single files share: one download by Bazel's downloader, then one shape of repository.

Every file is pinned by sha256, so where it comes from cannot change what is built. It is looked for in this order:

1. the repository cache, without a word to any server (`--repository_cache`);
2. the address that the rule resolves, which may need an index; Bazel looks into `--distdir` first;
3. if the address cannot be resolved, `--distdir` alone, so that a machine without a network needs no index.
"""

FETCH_ATTRS = {
    "overlay": attr.label(
        doc = "BUILD file of the extracted archive. Without it the repository is the one downloaded file, as target `:file`.",
        allow_single_file = True,
    ),
    "sha256": attr.string(
        doc = "The file's hash, 64 hex digits.",
        mandatory = True,
    ),
}

_FILE_BUILD = """\
exports_files([{file}])

filegroup(
    name = "file",
    srcs = [{file}],
    visibility = ["//visibility:public"],
)
"""

def address(urls, auth = {}):
    """What a resolver returns when it knows where the file is.

    Args:
      urls: addresses without credentials, tried in order.
      auth: as `repository_ctx.download` takes it: address to credentials.

    Returns:
      a struct for fetch_file.
    """
    return struct(urls = urls, auth = auth, error = None)

def no_address(error):
    """What a resolver returns when it could not find out, but a copy of the file in `--distdir` would do.

    Args:
      error: what went wrong and what to do, for the user.

    Returns:
      a struct for fetch_file.
    """
    return struct(urls = [], auth = {}, error = error)

def fetch_file(rctx, file, resolve, strip_prefix = "", extract = None):
    """Downloads the pin's file and lays the repository out.

    Args:
      rctx: the repository's context, of a rule with FETCH_ATTRS.
      file: the file's name; it keeps it, since wheels and sdists are known by their names.
      resolve: function of rctx that returns address(...) or no_address(...); called only if the cache lacks the file.
      strip_prefix: folder to strip from the members' names when there is an overlay.
      extract: function of rctx and the file that takes the place of Bazel's own extraction, if that does not know the archive.
    """
    if not _download(rctx, [], file, {}, allow_fail = True):
        where = resolve(rctx)
        if where.error == None:
            _download(rctx, where.urls, file, where.auth, allow_fail = False)
        elif not _download(rctx, ["file:///not/in/distdir/" + file], file, {}, allow_fail = True):
            fail("pin \"{}\": {}".format(rctx.original_name, where.error))
    if rctx.attr.overlay:
        if extract:
            extract(rctx, file)
        else:
            _extract(rctx, file, strip_prefix)
        rctx.file("BUILD.bazel", rctx.read(rctx.attr.overlay))
    else:
        rctx.file("BUILD.bazel", _FILE_BUILD.format(file = repr(file)))

def _download(rctx, urls, file, auth, allow_fail):
    # The canonical id makes a new file name with an old hash miss the cache, so that a half-done bump is found out.
    return rctx.download(
        url = urls,
        output = file,
        sha256 = rctx.attr.sha256,
        canonical_id = file,
        allow_fail = allow_fail,
        auth = auth,
    ).success

def _extract(rctx, file, strip_prefix):
    # Bazel tells an archive's type by its extension and does not know those of all package managers.
    archive = file
    for ending, known in [(".whl", ".zip"), (".crate", ".tar.gz")]:
        if file.endswith(ending):
            archive = file + known
            rctx.symlink(file, archive)
    rctx.extract(archive, stripPrefix = strip_prefix)
    rctx.delete(archive)
    rctx.delete(file)
