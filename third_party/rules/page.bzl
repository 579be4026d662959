"""Small pages that say where a file is: listings, manifests. They have no hash; the files that they name have one."""

load(":url.bzl", "basic_auth")

def read_page(rctx, url, credentials = None):
    """Downloads a page.

    Args:
      rctx: the repository's context.
      url: the page's address, without credentials.
      credentials: what split_credentials returned for the index, if it has some.

    Returns:
      struct(text, error); one of them is None. The error is the end of a sentence.
    """
    if url.startswith("http://"):
        return _read_plain(rctx, url, credentials)
    if not rctx.download(
        url = url,
        output = "page",
        allow_fail = True,
        auth = basic_auth(credentials, [url]) if credentials else {},
        headers = {"Accept": "application/vnd.pypi.simple.v1+json, text/html;q=0.1, */*;q=0.01"},
    ).success:
        return struct(text = None, error = "the warning above says why")
    text = rctx.read("page")
    rctx.delete("page")
    return struct(text = text, error = None)

def _read_plain(rctx, url, credentials):
    # Bazel's downloader refuses plain HTTP without a hash, without saying so when failure is allowed.
    python = which_python(rctx)
    if not python:
        return struct(text = None, error = "Bazel does not read plain HTTP without a hash, and there is no Python to do so: use https")
    environment = {}
    if credentials and credentials.login != None:
        environment = {"FETCH_LOGIN": credentials.login, "FETCH_PASSWORD": credentials.password}
    result = rctx.execute([python, "-I", rctx.path(Label(":plain_http.py")), url, "page"], environment = environment)
    if result.return_code != 0:
        return struct(text = None, error = result.stderr.strip())
    text = rctx.read("page")
    rctx.delete("page")
    return struct(text = text, error = None)

def which_python(rctx):
    """A Python of the machine, for questions about the machine only.

    Args:
      rctx: the repository's context.

    Returns:
      its path, or None.
    """
    for name in ["python3", "python", "py"]:
        python = rctx.which(name)
        if python:
            return python
    return None
