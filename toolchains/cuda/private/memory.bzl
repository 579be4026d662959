"""Requests for memory, in steps of a quarter.

Bazel takes what an action needs from a function, which must be a top-level one (bazelbuild/bazel#15187), so there is one
for each size. bazel_lib's resource_set_for has the powers of two alone, with which a machine fits fewer compilations at
once (bench/cuda/RESULTS.md). From Bazel 9.2 on, exec_properties end both.
"""

def _mb_512(_os, _inputs):
    return {"cpu": 1, "memory": 512}

def _mb_640(_os, _inputs):
    return {"cpu": 1, "memory": 640}

def _mb_768(_os, _inputs):
    return {"cpu": 1, "memory": 768}

def _mb_896(_os, _inputs):
    return {"cpu": 1, "memory": 896}

def _mb_1024(_os, _inputs):
    return {"cpu": 1, "memory": 1024}

def _mb_1280(_os, _inputs):
    return {"cpu": 1, "memory": 1280}

def _mb_1536(_os, _inputs):
    return {"cpu": 1, "memory": 1536}

def _mb_1792(_os, _inputs):
    return {"cpu": 1, "memory": 1792}

def _mb_2048(_os, _inputs):
    return {"cpu": 1, "memory": 2048}

def _mb_2560(_os, _inputs):
    return {"cpu": 1, "memory": 2560}

def _mb_3072(_os, _inputs):
    return {"cpu": 1, "memory": 3072}

def _mb_3584(_os, _inputs):
    return {"cpu": 1, "memory": 3584}

def _mb_4096(_os, _inputs):
    return {"cpu": 1, "memory": 4096}

def _mb_5120(_os, _inputs):
    return {"cpu": 1, "memory": 5120}

def _mb_6144(_os, _inputs):
    return {"cpu": 1, "memory": 6144}

def _mb_7168(_os, _inputs):
    return {"cpu": 1, "memory": 7168}

def _mb_8192(_os, _inputs):
    return {"cpu": 1, "memory": 8192}

def _mb_10240(_os, _inputs):
    return {"cpu": 1, "memory": 10240}

def _mb_12288(_os, _inputs):
    return {"cpu": 1, "memory": 12288}

def _mb_14336(_os, _inputs):
    return {"cpu": 1, "memory": 14336}

def _mb_16384(_os, _inputs):
    return {"cpu": 1, "memory": 16384}

def _mb_20480(_os, _inputs):
    return {"cpu": 1, "memory": 20480}

def _mb_24576(_os, _inputs):
    return {"cpu": 1, "memory": 24576}

def _mb_28672(_os, _inputs):
    return {"cpu": 1, "memory": 28672}

def _mb_32768(_os, _inputs):
    return {"cpu": 1, "memory": 32768}

# Ascending.
_REQUESTS = {
    512: _mb_512,
    640: _mb_640,
    768: _mb_768,
    896: _mb_896,
    1024: _mb_1024,
    1280: _mb_1280,
    1536: _mb_1536,
    1792: _mb_1792,
    2048: _mb_2048,
    2560: _mb_2560,
    3072: _mb_3072,
    3584: _mb_3584,
    4096: _mb_4096,
    5120: _mb_5120,
    6144: _mb_6144,
    7168: _mb_7168,
    8192: _mb_8192,
    10240: _mb_10240,
    12288: _mb_12288,
    14336: _mb_14336,
    16384: _mb_16384,
    20480: _mb_20480,
    24576: _mb_24576,
    28672: _mb_28672,
    32768: _mb_32768,
}

def memory(megabytes):
    """The resource_set of an action of one core.

    Args:
      megabytes: what it takes at its peak.

    Returns:
      A function for ctx.actions.run: the next size, or the largest one if it takes more.
    """
    for size, request in _REQUESTS.items():
        if megabytes <= size:
            return request
    return _mb_32768
