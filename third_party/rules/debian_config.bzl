"""Which Debian archives the machine's apt is configured for; none is named here.

Configuration files: sources.list(5). Hashes are pinned, so signatures are not looked at.
"""

_APT = "/etc/apt"

def mirrors(rctx, security):
    """The addresses of the archives, in apt's order but with Debian's own file first.

    Args:
      rctx: the repository's context.
      security: whether the archive of security updates is asked for.

    Returns:
      a list of addresses without a slash at their ends.
    """
    given = rctx.os.environ.get("SPARKWHEELS_APT_SECURITY_URI" if security else "SPARKWHEELS_APT_URI")
    if given:
        return [given.strip().rstrip("/")]
    parts = rctx.path(_APT + "/sources.list.d")
    files = [rctx.path(_APT + "/sources.list")]
    if parts.exists:
        files = sorted(parts.readdir(watch = "no"), key = lambda file: (file.basename != "debian.sources", file.basename)) + files
    out = []
    for file in files:
        if file.exists and (file.basename.endswith(".list") or file.basename.endswith(".sources")):
            text = rctx.read(file, watch = "no")
            out.extend(deb822_uris(text, security) if file.basename.endswith(".sources") else one_line_uris(text, security))
    return {uri.rstrip("/"): None for uri in out}.keys()

def deb822_uris(text, security):
    """The addresses in a file of stanzas, such as debian.sources.

    Args:
      text: the file's text.
      security: whether the archive of security updates is asked for.

    Returns:
      a list of addresses.
    """
    out = []
    stanza = {}
    key = None
    for line in text.replace("\r\n", "\n").split("\n") + [""]:
        if line.startswith("#"):
            continue
        if not line.strip():
            out.extend(_stanza_uris(stanza, security))
            stanza = {}
            key = None
        elif line[0] in " \t":
            if key:
                stanza[key] += " " + line.strip()
        else:
            key, _, value = line.partition(":")
            key = key.lower()
            stanza[key] = value.strip()
    return out

def one_line_uris(text, security):
    """The addresses in a file of `deb` lines, such as sources.list.

    Args:
      text: the file's text.
      security: whether the archive of security updates is asked for.

    Returns:
      a list of addresses.
    """
    out = []
    for line in text.split("\n"):
        line = line.partition("#")[0].replace("\t", " ").strip()
        if not line.startswith("deb "):
            continue
        line = line.removeprefix("deb ").strip()
        if line.startswith("["):
            line = line.partition("]")[2]
        words = [word for word in line.split(" ") if word]
        if len(words) > 2:
            out.extend(_stanza_uris({"components": " ".join(words[2:]), "suites": words[1], "types": "deb", "uris": words[0]}, security))
    return out

def _stanza_uris(stanza, security):
    words = {key: [word for word in value.replace("\t", " ").split(" ") if word] for key, value in stanza.items()}
    if "deb" not in words.get("types", []) or "main" not in words.get("components", []) or words.get("enabled", [""])[0].lower() in ["no", "false", "0"]:
        return []
    if bool([suite for suite in words.get("suites", []) if "-security" in suite]) != security:
        return []

    # What is fetched otherwise (cdrom:, file lists of mirror:, tor) is apt's own business.
    return [uri for uri in words.get("uris", []) if uri.partition("://")[0] in ["http", "https", "file"]]
