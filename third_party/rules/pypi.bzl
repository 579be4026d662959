"""`pypi_file`: a file of the Python package index that the machine's pip is configured for."""

load(":fetch.bzl", "FETCH_ATTRS", "address", "fetch_file", "no_address")
load(":listing.bzl", "find_in_listing")
load(":page.bzl", "read_page")
load(":pip_config.bzl", "index_url")
load(":url.bzl", "basic_auth", "split_credentials")

def _resolve(rctx):
    project, file = rctx.attr.project, rctx.attr.file
    index = index_url(rctx)
    if not index:
        return no_address("no Python package index is configured, and there is no pip to ask for its default: " +
                          "set PIP_INDEX_URL (--repo_env=PIP_INDEX_URL=...) or write pip's configuration file")
    credentials = split_credentials(index)
    url = "{}/{}/".format(credentials.url, project)
    page = read_page(rctx, url, credentials)
    if page.error:
        return no_address("could not read the listing of project \"{}\" from the index {}: {}; ".format(project, credentials.url, page.error) +
                          "check the network and pip's configuration (PIP_INDEX_URL), or put {} into --distdir".format(file))
    found = find_in_listing(page.text, url, file)
    if not found:
        return no_address("project \"{}\" of the index {} has no file \"{}\"".format(project, credentials.url, file))
    if found.sha256 and found.sha256 != rctx.attr.sha256:
        fail("pin \"{}\": wrong hash: the index {} says that {} has sha256 {}, third_party/pins.json says {}".format(
            rctx.original_name,
            credentials.url,
            file,
            found.sha256,
            rctx.attr.sha256,
        ))
    return address([found.url], basic_auth(credentials, [found.url]))

def _sdist_folder(file):
    return file.removesuffix(".tar.gz") if file.endswith(".tar.gz") else ""

pypi_file = repository_rule(
    implementation = lambda rctx: fetch_file(rctx, rctx.attr.file, _resolve, strip_prefix = _sdist_folder(rctx.attr.file)),
    doc = """A wheel or sdist of the Python package index.

An sdist's one folder, NAME-VERSION (PEP 625), is not part of the extracted repository, so that labels survive a new version.

The index is the one of the machine's own pip: PIP_INDEX_URL, pip's configuration files, else pip's default. Errors, one each:
no index known, listing unreadable, no such file in it, other hash than the pinned one.""",
    attrs = FETCH_ATTRS | {
        "file": attr.string(doc = "The exact file name.", mandatory = True),
        "project": attr.string(doc = "The project's normalised name (PEP 503).", mandatory = True),
    },
)
