"""`debian_file`: a package of the Debian archive that the machine's apt is configured for."""

load(":debian_config.bzl", "mirrors")
load(":fetch.bzl", "FETCH_ATTRS", "address", "fetch_file", "no_address")
load(":url.bzl", "basic_auth", "split_credentials")

def _resolve(rctx):
    found = [split_credentials(uri) for uri in mirrors(rctx, rctx.attr.security)]
    if not found:
        variable = "SPARKWHEELS_APT_SECURITY_URI" if rctx.attr.security else "SPARKWHEELS_APT_URI"
        return no_address("no Debian mirror is configured in /etc/apt: set {0} to one (--repo_env={0}=...)".format(variable))
    urls, auth = [], {}
    for mirror in found:
        url = "/".join([mirror.url, rctx.attr.pool, rctx.attr.file])
        urls.append(url)
        auth.update(basic_auth(mirror, [url]))
    return address(urls, auth)

def _extract(rctx, file):
    # deb(5): an ar archive of control.tar, which says how to install it, and data.tar, the files.
    rctx.extract(file, "deb")
    for member in rctx.path("deb").readdir():
        if member.basename.startswith("data.tar"):
            rctx.extract(member)
    rctx.delete("deb")
    rctx.delete(file)

debian_file = repository_rule(
    implementation = lambda rctx: fetch_file(rctx, rctx.attr.file, _resolve, extract = _extract),
    doc = """A package of Debian.

The archive is SPARKWHEELS_APT_URI (of security updates: SPARKWHEELS_APT_SECURITY_URI), else each one of /etc/apt in turn. An
archive drops the files of superseded versions; Debian's archive of all of them, at a date, is a mirror like others.""",
    attrs = FETCH_ATTRS | {
        "file": attr.string(doc = "The file's name, PACKAGE_VERSION_ARCHITECTURE.deb.", mandatory = True),
        "pool": attr.string(doc = "The folder of the archive that holds it.", mandatory = True),
        "security": attr.bool(doc = "Whether it is in the archive of security updates."),
    },
)
