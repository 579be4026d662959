"""`crate_file`: a crate of the registry that the machine's cargo is configured for."""

load(":fetch.bzl", "FETCH_ATTRS", "address", "fetch_file", "no_address")
load(":page.bzl", "read_page")
load(":url.bzl", "basic_auth", "split_credentials")

_MANIFEST = """\
[package]
name = "fetch"
version = "0.0.0"

[dependencies]
{crate} = "={version}"
"""

def _file(attr):
    return "{}-{}.crate".format(attr.crate, attr.version)

def _resolve(rctx):
    index = rctx.os.environ.get("CRATES_INDEX_URL")
    if index:
        return _from_index(rctx, split_credentials(index.removeprefix("sparse+").rstrip("/")))
    cargo = _cargo(rctx)
    if not cargo:
        return no_address("there is no cargo to ask for its registry: put cargo on PATH, " +
                          "or set CRATES_INDEX_URL to a sparse index (--repo_env=CRATES_INDEX_URL=...)")
    return _from_cargo(rctx, cargo)

def _from_index(rctx, index):
    # The index's config.json says where the files are: https://doc.rust-lang.org/cargo/reference/registry-index.html
    url = index.url + "/config.json"
    page = read_page(rctx, url, index)
    if page.error:
        return no_address("could not read {}: {}; check the network and CRATES_INDEX_URL".format(url, page.error))
    download = json.decode(page.text)["dl"]
    file = crate_url(download, rctx.attr.crate, rctx.attr.version, rctx.attr.sha256)
    return address([file], basic_auth(index, [file]))

def crate_url(template, crate, version, sha256):
    """The address of a crate's file, by the `dl` template of an index.

    Args:
      template: the value of `dl` in the index's config.json.
      crate: the crate's name.
      version: its version.
      sha256: its hash.

    Returns:
      the address.
    """
    markers = {
        "{crate}": crate,
        "{lowerprefix}": _prefix(crate.lower()),
        "{prefix}": _prefix(crate),
        "{sha256-checksum}": sha256,
        "{version}": version,
    }
    if not [marker for marker in markers if marker in template]:
        template += "/{crate}/{version}/download"
    for marker, value in markers.items():
        template = template.replace(marker, value)
    return template

def _prefix(crate):
    if len(crate) < 3:
        return str(len(crate))
    if len(crate) == 3:
        return "3/" + crate[0]
    return crate[:2] + "/" + crate[2:4]

def _cargo(rctx):
    cargo = rctx.which("cargo")
    if cargo:
        return cargo
    env = rctx.os.environ
    home = env.get("HOME") or env.get("USERPROFILE")
    base = env.get("CARGO_HOME") or (home + "/.cargo" if home else None)
    for name in ["cargo", "cargo.exe"] if base else []:
        path = rctx.path("{}/bin/{}".format(base, name))
        if path.exists:
            return path
    return None

def _from_cargo(rctx, cargo):
    """Lets cargo, with its own mirrors and credentials, vendor the crate into its cache, and points Bazel's downloader there."""
    rctx.file("probe/Cargo.toml", _MANIFEST.format(crate = rctx.attr.crate, version = rctx.attr.version))
    rctx.file("probe/src/lib.rs", "")
    result = rctx.execute([cargo, "fetch", "--quiet"], working_directory = "probe")
    rctx.delete("probe")
    if result.return_code != 0:
        return no_address("cargo could not fetch {} {}:\n{}".format(rctx.attr.crate, rctx.attr.version, result.stderr.strip()))
    env = rctx.os.environ
    home = env.get("CARGO_HOME") or (env.get("HOME") or env.get("USERPROFILE")) + "/.cargo"
    found = []
    for registry in rctx.path(home + "/registry/cache").readdir(watch = "no"):
        file = registry.get_child(_file(rctx.attr))
        if file.exists:
            text = str(file)
            found.append("file://" + (text if text.startswith("/") else "/" + text))
    if not found:
        return no_address("cargo fetched {} but left it in none of the folders of {}/registry/cache".format(_file(rctx.attr), home))
    return address(found)

crate_file = repository_rule(
    implementation = lambda rctx: fetch_file(rctx, _file(rctx.attr), _resolve),
    doc = """The source of a crate.

The registry is CRATES_INDEX_URL if that is set to a sparse index, else the one of the machine's cargo, which is asked to fetch
the crate with its own configuration.""",
    attrs = FETCH_ATTRS | {
        "crate": attr.string(doc = "The crate's name.", mandatory = True),
        "version": attr.string(doc = "The version.", mandatory = True),
    },
)
