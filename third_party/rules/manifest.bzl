"""NVIDIA's manifests redistrib_<release>.json: which archive an entry means. Pure functions on decoded JSON."""

def manifest_entry(manifest, component, version, platform, archive = ""):
    """Picks the archive of a component for a platform.

    An entry is flat (`relative_path` and `sha256` beside each other), nested (one such object per variant, as `cuda13`), or
    both at once, as cuDNN 9.27.0's for windows-arm64, where the two name different archives. Whoever takes "nested if there,
    else flat" gets another file than whoever does the reverse: so several archives are an error unless one is named.

    Args:
      manifest: the decoded manifest.
      component: key of the component.
      version: the version that it must have.
      platform: key of the platform.
      archive: file name of the archive that is meant; may be empty if there is only one.

    Returns:
      struct(path, sha256, error): error is None, or completes a sentence that begins with "the manifest".
    """
    if type(manifest) != "dict" or type(manifest.get(component)) != "dict":
        return _error("has no component \"{}\"".format(component))
    entry = manifest[component]
    if entry.get("version") != version:
        return _error("has {} in version {}, the pin wants {}".format(component, entry.get("version"), version))
    if type(entry.get(platform)) != "dict":
        known = sorted([key for key, value in entry.items() if type(value) == "dict"])
        return _error("has no {} for {}, only for {}".format(component, platform, ", ".join(known) or "none"))
    archives = {}
    for candidate in [entry[platform]] + [v for v in entry[platform].values() if type(v) == "dict"]:
        if "relative_path" in candidate:
            path, sha256 = candidate["relative_path"], candidate.get("sha256")
            if type(path) != "string" or path.startswith("/") or ".." in path.split("/"):
                return _error("gives {} for {} a path that is not below the manifest's folder: {}".format(component, platform, path))
            if type(sha256) != "string" or len(sha256) != 64:
                return _error("gives no sha256 for {}".format(path))
            archives[path.rpartition("/")[2]] = struct(path = path, sha256 = sha256, error = None)
    if not archives:
        return _error("names no archive of {} for {}".format(component, platform))
    names = ", ".join(sorted(archives))
    if archive:
        return archives.get(archive) or _error("has no archive {} of {} for {}, only {}".format(archive, component, platform, names))
    if len(archives) > 1:
        return _error("has several archives of {} for {}: name one of them as \"archive\" in the pin: {}".format(component, platform, names))
    return archives.values()[0]

def _error(text):
    return struct(path = None, sha256 = None, error = text)
