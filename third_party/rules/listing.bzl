"""Project listings of Python package indexes, as pages (PEP 503) and as JSON (PEP 691): pure functions on text."""

load(":url.bzl", "join_url", "percent_decode")

_ENTITIES = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#43;", "+"), ("&#x2B;", "+"), ("&#x2b;", "+"), ("&amp;", "&")]

def find_in_listing(text, url, file):
    """Finds one file in a project's listing.

    Args:
      text: the listing, HTML or JSON.
      url: the address that it came from.
      file: the exact file name.

    Returns:
      struct(url, sha256) with sha256 None if the listing has none; or None if there is no such file.
    """
    if text.lstrip().startswith("{"):
        return _find_json(text, url, file)
    return _find_html(text, url, file)

def _find_json(text, url, file):
    for entry in json.decode(text).get("files", []):
        if entry["filename"] == file:
            return struct(
                url = join_url(url, entry["url"]).partition("#")[0],
                sha256 = entry.get("hashes", {}).get("sha256"),
            )
    return None

def _find_html(text, url, file):
    for anchor in _without_comments(text).replace("<A", "<a").split("<a")[1:]:
        # A tag's name ends with white space: <abbr> is no anchor.
        if not anchor[:1].isspace():
            continue
        href = _attribute(anchor.partition(">")[0], "href")
        if href == None:
            continue
        address, _, fragment = unescape(href).partition("#")

        # The name is the last part of the address; the anchor's text may be shortened or escaped another way.
        if percent_decode(address.partition("?")[0].rpartition("/")[2]) != file:
            continue
        sha256 = None
        for pair in fragment.split("&"):
            key, _, value = pair.partition("=")
            if key == "sha256":
                sha256 = value
        return struct(url = join_url(_base(text, url), address), sha256 = sha256)
    return None

def _base(text, url):
    # PEP 503 leaves <base href> to HTML, and some mirrors use it.
    tag = text.partition("<base")[2].partition(">")[0]
    href = _attribute(tag, "href") if tag else None
    return url if href == None else join_url(url, unescape(href))

def _attribute(tag, name):
    for quote in ["\"", "'"]:
        for space in [" ", "\n", "\t"]:
            _, found, rest = tag.partition("{}{}={}".format(space, name, quote))
            if found:
                return rest.partition(quote)[0]
    return None

def _without_comments(text):
    parts = text.split("<!--")
    return parts[0] + "".join([part.partition("-->")[2] for part in parts[1:]])

def unescape(text):
    """Replaces the entities that occur in addresses.

    Args:
      text: an attribute's value.

    Returns:
      the text that it stands for.
    """
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text
