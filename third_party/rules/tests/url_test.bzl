"""Tests of url.bzl."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//third_party/rules:url.bzl", "basic_auth", "join_url", "percent_decode", "split_credentials")

def _credentials_impl(ctx):
    env = unittest.begin(ctx)
    for url, want in {
        "/no/scheme@x": ("/no/scheme@x", None, None),
        "https://h.example/a@b": ("https://h.example/a@b", None, None),
        "https://token@h.example": ("https://h.example", "token", ""),
        "https://u%40x:p%3Aq@r@h.example:8080/simple": ("https://h.example:8080/simple", "u@x", "p:q@r"),
    }.items():
        got = split_credentials(url)
        asserts.equals(env, want, (got.url, got.login, got.password))

    # A password is for the index's own host and port only.
    index = split_credentials("https://u:p@h.example/simple")
    same, port, other = "https://h.example/f.whl", "https://h.example:444/f.whl", "https://cdn.example/f.whl"
    asserts.equals(env, [same], basic_auth(index, [same, port, other]).keys())
    asserts.equals(env, {}, basic_auth(split_credentials("https://h.example/simple"), [same]))
    return unittest.end(env)

def _join_impl(ctx):
    env = unittest.begin(ctx)
    for base, reference, want in [
        ("https://h.example/a/b/", "c.whl", "https://h.example/a/b/c.whl"),
        ("https://h.example/a/b", "c.whl", "https://h.example/a/c.whl"),
        ("https://h.example/a/b/?x=/y", "../c.whl?d=../e", "https://h.example/a/c.whl?d=../e"),
        ("https://h.example/a/", "../../../c.whl", "https://h.example/c.whl"),
        ("https://h.example/a/", "./c.whl", "https://h.example/a/c.whl"),
        ("https://h.example/a/", "/c.whl", "https://h.example/c.whl"),
        ("https://h.example", "c.whl", "https://h.example/c.whl"),
        ("https://h.example/a/", "//i.example/c.whl", "https://i.example/c.whl"),
        ("https://h.example/a/", "http://i.example/c.whl", "http://i.example/c.whl"),
        ("https://h.example/a/", "c?u=http://x", "https://h.example/a/c?u=http://x"),
    ]:
        asserts.equals(env, want, join_url(base, reference))
    return unittest.end(env)

def _decode_impl(ctx):
    env = unittest.begin(ctx)
    for text, want in {"100%": "100%", "a%2Bb%2bc": "a+b+c", "a%zzb%": "a%zzb%", "plain": "plain", "x%C3%A4": "x%C3%A4"}.items():
        asserts.equals(env, want, percent_decode(text))
    return unittest.end(env)

_credentials_test = unittest.make(_credentials_impl)
_join_test = unittest.make(_join_impl)
_decode_test = unittest.make(_decode_impl)

def url_test_suite(name):
    """Tests of url.bzl.

    Args:
      name: name of the suite.
    """
    unittest.suite(name, _credentials_test, _join_test, _decode_test)
