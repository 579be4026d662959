"""`maven_file`: an artefact of the Maven repository that the machine is configured for."""

load(":fetch.bzl", "FETCH_ATTRS", "address", "fetch_file", "no_address")
load(":maven_config.bzl", "repository_url")
load(":url.bzl", "basic_auth", "split_credentials")

def _file(attr):
    return "-".join([part for part in [attr.artifact, attr.version, attr.classifier] if part]) + ".jar"

def _resolve(rctx):
    base = repository_url(rctx)
    if not base:
        return no_address("no Maven repository is configured, and there is no mvn to ask for its default: " +
                          "set MAVEN_REPOSITORY_URL (--repo_env=MAVEN_REPOSITORY_URL=...) or a mirror in ~/.m2/settings.xml")
    credentials = split_credentials(base)
    url = "/".join([credentials.url, rctx.attr.group.replace(".", "/"), rctx.attr.artifact, rctx.attr.version, _file(rctx.attr)])
    return address([url], basic_auth(credentials, [url]))

maven_file = repository_rule(
    implementation = lambda rctx: fetch_file(rctx, _file(rctx.attr), _resolve),
    doc = """A jar of the Maven repository that the machine is configured for.

The repository is MAVEN_REPOSITORY_URL, else a mirror of ~/.m2/settings.xml, else the default that Maven itself holds.""",
    attrs = FETCH_ATTRS | {
        "artifact": attr.string(doc = "The artifact id.", mandatory = True),
        "classifier": attr.string(doc = "The classifier, if the file has one."),
        "group": attr.string(doc = "The group id.", mandatory = True),
        "version": attr.string(doc = "The version.", mandatory = True),
    },
)
