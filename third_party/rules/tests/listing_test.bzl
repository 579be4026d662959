"""Tests of listing.bzl: what indexes really send, and what only looks like it."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//third_party/rules:listing.bzl", "find_in_listing")

_URL = "https://index.example/simple/soxr/"
_FILE = "soxr-1.1.0.tar.gz"

def _found(env, text, url, sha256 = None, file = _FILE, at = _URL):
    found = find_in_listing(text, at, file)
    asserts.true(env, found != None, "not found in " + text)
    if found:
        asserts.equals(env, url, found.url)
        asserts.equals(env, sha256, found.sha256)

def _html_impl(ctx):
    env = unittest.begin(ctx)
    _found(env, '<a href="https://files.example/ab/soxr-1.1.0.tar.gz#sha256=abc" data-requires-python="&gt;=3.9">soxr-1.1.0.tar.gz</a>', "https://files.example/ab/soxr-1.1.0.tar.gz", "abc")
    _found(env, "<A\n HREF='x' href='../../files/soxr-1.1.0.tar.gz'>s</A>", "https://index.example/files/soxr-1.1.0.tar.gz")
    _found(env, '<a href="/f/soxr-1.1.0.tar.gz?a=1&amp;b=2#md5=0&amp;sha256=abc">s</a>', "https://index.example/f/soxr-1.1.0.tar.gz?a=1&b=2", "abc")
    _found(env, '<a href="//cdn.example/soxr-1.1.0.tar.gz">s</a>', "https://cdn.example/soxr-1.1.0.tar.gz")
    _found(env, '<base href="https://mirror.example/a/"><a href="soxr-1.1.0.tar.gz">s</a>', "https://mirror.example/a/soxr-1.1.0.tar.gz")
    _found(env, '<a href="x%2B1-1.0%2Bcu134.whl">s</a>', _URL + "x%2B1-1.0%2Bcu134.whl", file = "x+1-1.0+cu134.whl")

    # A file's metadata, a comment and another tag are not the file.
    for text in [
        '<a href="/f/soxr-1.1.0.tar.gz.metadata">soxr-1.1.0.tar.gz</a>',
        '<!-- <a href="/f/soxr-1.1.0.tar.gz">soxr-1.1.0.tar.gz</a> -->',
        '<abbr href="/f/soxr-1.1.0.tar.gz">soxr-1.1.0.tar.gz</abbr>',
        '<a data-href="/f/soxr-1.1.0.tar.gz">soxr-1.1.0.tar.gz</a>',
        "",
    ]:
        asserts.equals(env, None, find_in_listing(text, _URL, _FILE))
    return unittest.end(env)

def _json_impl(ctx):
    env = unittest.begin(ctx)
    text = json.encode({"files": [
        {"filename": "soxr-1.1.0-py3-none-any.whl", "url": "w", "hashes": {"sha256": "def"}},
        {"filename": _FILE, "url": "../../f/soxr-1.1.0.tar.gz", "hashes": {"sha256": "abc"}},
    ]})
    _found(env, text, "https://index.example/f/soxr-1.1.0.tar.gz", "abc")
    _found(env, "\n" + json.encode({"files": [{"filename": _FILE, "url": "https://f.example/x", "hashes": {}}]}), "https://f.example/x")
    asserts.equals(env, None, find_in_listing(text, _URL, "soxr-1.1.1.tar.gz"))
    asserts.equals(env, None, find_in_listing('{"files": []}', _URL, _FILE))
    return unittest.end(env)

_html_test = unittest.make(_html_impl)
_json_test = unittest.make(_json_impl)

def listing_test_suite(name):
    """Tests of listing.bzl.

    Args:
      name: name of the suite.
    """
    unittest.suite(name, _html_test, _json_test)
