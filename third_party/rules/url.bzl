"""Addresses as strings: credentials out, relative references resolved (RFC 3986)."""

_HEX = "0123456789abcdef"

def split_credentials(url):
    """Takes user name and password out of an address, so that no message can show them.

    Args:
      url: an address, such as https://user:secret@host/simple.

    Returns:
      struct(url = address without them, login, password); the latter two are None if there are none.
    """
    scheme, sep, rest = url.partition("://")
    if not sep:
        return struct(url = url, login = None, password = None)
    host, slash, path = rest.partition("/")
    info, at, bare = host.rpartition("@")
    if not at:
        return struct(url = url, login = None, password = None)
    login, _, password = info.partition(":")
    return struct(
        url = scheme + "://" + bare + slash + path,
        login = percent_decode(login),
        password = percent_decode(password),
    )

def basic_auth(credentials, urls):
    """Credentials for those addresses that are on the same host as the one they were given for.

    Args:
      credentials: what split_credentials returned.
      urls: addresses that will be downloaded.

    Returns:
      a dict for the `auth` parameter of `repository_ctx.download`.
    """
    if credentials.login == None:
        return {}
    return {
        url: {"type": "basic", "login": credentials.login, "password": credentials.password}
        for url in urls
        if origin(url) == origin(credentials.url)
    }

def origin(url):
    """Scheme, host and port of an address.

    Args:
      url: an absolute address.

    Returns:
      for example https://host:8080.
    """
    scheme, sep, rest = url.partition("://")
    return scheme + sep + rest.partition("/")[0]

def join_url(base, reference):
    """Resolves a reference against the address of the page that holds it; query and fragment of the page do not count.

    Args:
      base: the page's absolute address.
      reference: an absolute, host-relative or path-relative reference.

    Returns:
      the absolute address.
    """
    scheme, _, _ = base.partition("://")
    if "://" in reference.partition("?")[0]:
        return reference
    if reference.startswith("//"):
        return scheme + ":" + reference
    host = origin(base)
    if reference.startswith("/"):
        return host + _remove_dots(reference)
    folder = base[len(host):].partition("#")[0].partition("?")[0].rpartition("/")[0]
    return host + _remove_dots(folder + "/" + reference)

def percent_decode(text):
    """Decodes %XX where it stands for an ASCII character.

    Args:
      text: part of an address.

    Returns:
      the decoded text.
    """
    first, parts = text.split("%")[0], text.split("%")[1:]
    out = [first]
    for part in parts:
        digits = part[:2].lower()
        high, low = (_HEX.find(digits[0]), _HEX.find(digits[1])) if len(digits) == 2 else (-1, -1)
        code = high * 16 + low
        if high < 0 or low < 0 or code < 32 or code > 126:
            out.append("%" + part)
        else:
            out.append(_ASCII[code - 32] + part[2:])
    return "".join(out)

_ASCII = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"

def _remove_dots(path):
    path, mark, query = path.partition("?")
    out = []
    for part in path.split("/"):
        if part == "..":
            if len(out) > 1:
                out.pop()
        elif part != ".":
            out.append(part)
    return "/".join(out) + mark + query
