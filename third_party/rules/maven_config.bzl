"""Which Maven repository the machine is configured for; none is named here."""

# Where Debian keeps Maven's own jars when mvn is not on PATH.
_LIBRARIES = ["/usr/share/maven/lib", "/usr/share/java"]

def repository_url(rctx):
    """The repository's address: MAVEN_REPOSITORY_URL, a mirror in the user's settings, or Maven's own default.

    Args:
      rctx: the repository's context.

    Returns:
      the address without a slash at its end, or None if Maven is not there to ask.
    """
    env = rctx.os.environ
    url = env.get("MAVEN_REPOSITORY_URL")
    home = env.get("HOME") or env.get("USERPROFILE")
    if not url and home:
        settings = rctx.path(home + "/.m2/settings.xml")
        if settings.exists:
            url = mirror_of_central(rctx.read(settings, watch = "no"))
    if not url:
        url = _super_pom_url(rctx)
    return url.strip().rstrip("/") if url else None

def mirror_of_central(settings):
    """The address of the first mirror in Maven's settings that stands for the central repository.

    Args:
      settings: the text of settings.xml.

    Returns:
      the address, or None.
    """
    for mirror in _without_comments(settings).split("<mirror>")[1:]:
        mirror = mirror.partition("</mirror>")[0]
        patterns = [p.strip() for p in _element(mirror, "mirrorOf").split(",")]
        if "!central" not in patterns and [p for p in patterns if p in ["*", "central", "external:*"]]:
            return _element(mirror, "url")
    return None

def central_of_super_pom(pom):
    """The address of the central repository in Maven's super POM.

    Args:
      pom: the text of the POM from which all others inherit.

    Returns:
      the address, or None.
    """
    for repository in _without_comments(pom).split("<repository>")[1:]:
        repository = repository.partition("</repository>")[0]
        if _element(repository, "id") == "central":
            return _element(repository, "url")
    return None

def _super_pom_url(rctx):
    folders = [rctx.path(folder) for folder in _LIBRARIES]
    mvn = rctx.which("mvn")
    if mvn:
        folders.insert(0, mvn.realpath.dirname.dirname.get_child("lib"))
    for folder in folders:
        if not folder.exists:
            continue
        for jar in folder.readdir(watch = "no"):
            if jar.basename.startswith("maven") and "-model-builder" in jar.basename and jar.basename.endswith(".jar"):
                rctx.extract(jar.realpath, "maven")
                pom = rctx.path("maven/org/apache/maven/model/pom-4.0.0.xml")
                url = central_of_super_pom(rctx.read(pom)) if pom.exists else None
                rctx.delete("maven")
                if url:
                    return url
    return None

def _element(xml, name):
    return xml.partition("<{}>".format(name))[2].partition("</{}>".format(name))[0].strip()

def _without_comments(xml):
    parts = xml.split("<!--")
    return parts[0] + "".join([part.partition("-->")[2] for part in parts[1:]])
