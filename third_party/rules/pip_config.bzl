"""Which Python package index the machine's pip is configured for.

Asked in pip's own order of precedence: the variable PIP_INDEX_URL; pip's configuration files; pip itself, for the default
that it has without any. No index is named here. Configuration files: https://pip.pypa.io/en/stable/topics/configuration/
"""

load(":page.bzl", "which_python")

# A command's own section goes before [global]; we do what `pip download` does, and people configure `pip install`.
_SECTIONS = ["download", "install", "global"]
_ASK_PIP = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"

def index_url(rctx):
    """The index's address, with credentials if it was configured with some.

    Args:
      rctx: the repository's context.

    Returns:
      the address without a slash at its end, or None if pip is not there to ask.
    """
    env = rctx.os.environ
    url = env.get("PIP_INDEX_URL")
    if not url and env.get("PIP_CONFIG_FILE") not in ["/dev/null", "nul", "NUL"]:
        for file in reversed(config_files(rctx.os.name, env)):
            path = rctx.path(file)
            if not url and path.exists and not path.is_dir:
                url = configured_index(rctx.read(path, watch = "no"))
    if not url:
        url = _ask_pip(rctx)
    return url.strip().rstrip("/") if url else None

def config_files(os, env):
    """pip's configuration files, least important first.

    Args:
      os: name of the operating system, as `repository_ctx.os.name` has it.
      env: the environment variables.

    Returns:
      absolute paths; the files need not exist.
    """
    home = env.get("HOME") or env.get("USERPROFILE")
    out = []
    if os.startswith("windows"):
        out.append(env.get("PROGRAMDATA", "C:\\ProgramData") + "\\pip\\pip.ini")
        out.append(home + "\\pip\\pip.ini" if home else None)
        out.append(env["APPDATA"] + "\\pip\\pip.ini" if env.get("APPDATA") else None)
        out.append(env["VIRTUAL_ENV"] + "\\pip.ini" if env.get("VIRTUAL_ENV") else None)
    else:
        if os.startswith("mac"):
            out.append("/Library/Application Support/pip/pip.conf")
        else:
            out.extend([d + "/pip/pip.conf" for d in reversed(env.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":")) if d])
        out.append("/etc/pip.conf")
        if home:
            out.append(home + "/.pip/pip.conf")
            out.append(env.get("XDG_CONFIG_HOME", home + "/.config") + "/pip/pip.conf")
            if os.startswith("mac"):
                out.append(home + "/Library/Application Support/pip/pip.conf")
        out.append(env["VIRTUAL_ENV"] + "/pip.conf" if env.get("VIRTUAL_ENV") else None)
    out.append(env.get("PIP_CONFIG_FILE"))
    return [path for path in out if path]

def configured_index(text):
    """The index-url of a pip configuration file.

    Args:
      text: the file's text, in the format of Python's configparser.

    Returns:
      the value, or None.
    """
    values = {}
    section = None
    for line in text.split("\n"):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
            continue
        ends = [i for i in [line.find("="), line.find(":")] if i >= 0]
        if not ends:
            continue
        key, value = line[:min(ends)], line[min(ends) + 1:]
        if key.strip().lower().replace("_", "-") == "index-url":
            values[section] = value.strip()
    for name in _SECTIONS:
        if values.get(name):
            return values[name]
    return None

def _ask_pip(rctx):
    python = which_python(rctx)
    result = rctx.execute([python, "-I", "-c", _ASK_PIP]) if python else None
    return result.stdout.strip() if result and result.return_code == 0 else None
