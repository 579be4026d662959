"""Tests of pip_config.bzl, maven_config.bzl, debian_config.bzl and crate.bzl: what the configuration of other clients means."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//third_party/rules:crate.bzl", "crate_url")
load("//third_party/rules:debian_config.bzl", "deb822_uris", "one_line_uris")
load("//third_party/rules:maven_config.bzl", "central_of_super_pom", "mirror_of_central")
load("//third_party/rules:pip_config.bzl", "config_files", "configured_index")

def _pip_text_impl(ctx):
    env = unittest.begin(ctx)
    for text, want in {
        "": None,
        "# index-url = a\n; index-url = b\n[global]\n#index-url = c": None,
        "[freeze]\nindex-url = f": None,
        "[global]\nINDEX_URL: https://u:p@i.example:8080/simple?a=b": "https://u:p@i.example:8080/simple?a=b",
        "[global]\nextra-index-url = e": None,
        "[global]\nindex-url = g": "g",
        "[global]\r\n  index-url=g\r\n": "g",
        "[install]\nindex-url = i\n[global]\nindex-url = g": "i",
    }.items():
        asserts.equals(env, want, configured_index(text))
    return unittest.end(env)

def _pip_files_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, [
        "/etc/xdg/pip/pip.conf",
        "/etc/pip.conf",
        "/h/.pip/pip.conf",
        "/h/.config/pip/pip.conf",
        "/v/pip.conf",
        "/mine",
    ], config_files("linux", {"HOME": "/h", "PIP_CONFIG_FILE": "/mine", "VIRTUAL_ENV": "/v"}))
    asserts.equals(env, ["/b/pip/pip.conf", "/a/pip/pip.conf", "/etc/pip.conf"], config_files("linux", {"XDG_CONFIG_DIRS": "/a:/b"}))
    asserts.equals(env, "/h/Library/Application Support/pip/pip.conf", config_files("mac os x", {"HOME": "/h"})[-1])
    asserts.equals(env, [
        "C:\\ProgramData\\pip\\pip.ini",
        "C:\\Users\\u\\pip\\pip.ini",
        "C:\\Users\\u\\AppData\\Roaming\\pip\\pip.ini",
    ], config_files("windows 11", {"APPDATA": "C:\\Users\\u\\AppData\\Roaming", "USERPROFILE": "C:\\Users\\u"}))
    return unittest.end(env)

def _maven_impl(ctx):
    env = unittest.begin(ctx)
    mirror = "<settings><mirrors><mirror><id>m</id><url> https://m.example/maven </url><mirrorOf>{}</mirrorOf></mirror></mirrors></settings>"
    for of, want in {
        "*": "https://m.example/maven",
        "*,!central": None,
        "central": "https://m.example/maven",
        "external:*": "https://m.example/maven",
        "internal, central": "https://m.example/maven",
        "snapshots": None,
    }.items():
        asserts.equals(env, want, mirror_of_central(mirror.format(of)))
    asserts.equals(env, None, mirror_of_central("<settings><!--" + mirror.format("*") + "--></settings>"))
    asserts.equals(env, "https://c.example/maven2", central_of_super_pom(
        "<project><repositories><repository><id>other</id><url>https://o.example</url></repository>" +
        "<repository><id>central</id><url>https://c.example/maven2</url></repository></repositories></project>",
    ))
    asserts.equals(env, None, central_of_super_pom("<project/>"))
    return unittest.end(env)

def _debian_impl(ctx):
    env = unittest.begin(ctx)
    sources = """# Types: deb
Types: deb deb-src
URIs: http://m.example/debian/ https://n.example/debian
Suites: bookworm
 bookworm-updates
Components:
 main contrib
Signed-By: /k

Types: deb
uris:\thttp://m.example/debian-security
Suites: bookworm-security
Components: main

Types: deb-src
URIs: http://src.example
Suites: bookworm
Components: main

Enabled: no
Types: deb
URIs: http://off.example
Suites: bookworm
Components: main

Types: deb
URIs: http://other.example
Suites: stable
Components: nonfree
"""
    for ending in ["\n", "\r\n"]:
        text = sources.replace("\n", ending)
        asserts.equals(env, ["http://m.example/debian/", "https://n.example/debian"], deb822_uris(text, security = False))
        asserts.equals(env, ["http://m.example/debian-security"], deb822_uris(text, security = True))
    asserts.equals(env, [], deb822_uris("", security = False))
    lines = """# deb http://a.example/debian bookworm main
deb [arch=amd64 signed-by=/k] http://m.example/debian  bookworm\tmain contrib # the mirror
deb-src http://src.example/debian bookworm main
deb cdrom:[Debian]/ bookworm main
deb http://m.example/debian-security bookworm-security main
deb http://flat.example ./
"""
    asserts.equals(env, ["http://m.example/debian"], one_line_uris(lines, security = False))
    asserts.equals(env, ["http://m.example/debian-security"], one_line_uris(lines, security = True))
    return unittest.end(env)

def _crate_impl(ctx):
    env = unittest.begin(ctx)
    for template, want in {
        "https://c.example/a": "https://c.example/a/Ab-sys/1.0/download",
        "https://c.example/{crate}-{version}.crate": "https://c.example/Ab-sys-1.0.crate",
        "https://c.example/{prefix}/{lowerprefix}/{sha256-checksum}": "https://c.example/Ab/-s/ab/-s/123",
    }.items():
        asserts.equals(env, want, crate_url(template, "Ab-sys", "1.0", "123"))
    for crate, want in {"a": "1", "ab": "2", "abc": "3/a", "abcd": "ab/cd"}.items():
        asserts.equals(env, "https://c.example/" + want, crate_url("https://c.example/{prefix}", crate, "1.0", "123"))
    return unittest.end(env)

_pip_text_test = unittest.make(_pip_text_impl)
_pip_files_test = unittest.make(_pip_files_impl)
_maven_test = unittest.make(_maven_impl)
_debian_test = unittest.make(_debian_impl)
_crate_test = unittest.make(_crate_impl)

def config_test_suite(name):
    """Tests of the files that read other clients' configuration.

    Args:
      name: name of the suite.
    """
    unittest.suite(name, _pip_text_test, _pip_files_test, _maven_test, _debian_test, _crate_test)
