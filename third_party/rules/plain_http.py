"""plain_http.py URL FILE: downloads an index's page over plain HTTP.

Bazel's downloader refuses plain HTTP without a hash, and pages of an index have none; the files that they name do, so the way is
safe. User name and password come in the variables FETCH_LOGIN and FETCH_PASSWORD. Exits with 1 and one line on failure.
"""

import base64
import os
import sys
import urllib.error
import urllib.request


def main(url, file):
    request = urllib.request.Request(url, headers={"Accept": "application/vnd.pypi.simple.v1+json, text/html;q=0.1, */*;q=0.01"})
    login = os.environ.get("FETCH_LOGIN")
    if login:
        pair = login + ":" + os.environ.get("FETCH_PASSWORD", "")
        request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            data = answer.read()
    except (urllib.error.URLError, OSError) as error:
        sys.exit(str(error))
    with open(file, "wb") as out:
        out.write(data)


main(*sys.argv[1:])
