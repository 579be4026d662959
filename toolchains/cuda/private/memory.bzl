"""Requests for memory, in steps of an eighth.

Bazel takes what an action needs from a function, which must be a top-level one (bazelbuild/bazel#15187), so there is one
for each size; bazel_lib's resource_set_for has the powers of two. From Bazel 9.2 on, exec_properties end this.
"""

def _mb_256(_os, _inputs):
    return {"cpu": 1, "memory": 256}

def _mb_288(_os, _inputs):
    return {"cpu": 1, "memory": 288}

def _mb_320(_os, _inputs):
    return {"cpu": 1, "memory": 320}

def _mb_352(_os, _inputs):
    return {"cpu": 1, "memory": 352}

def _mb_384(_os, _inputs):
    return {"cpu": 1, "memory": 384}

def _mb_416(_os, _inputs):
    return {"cpu": 1, "memory": 416}

def _mb_448(_os, _inputs):
    return {"cpu": 1, "memory": 448}

def _mb_480(_os, _inputs):
    return {"cpu": 1, "memory": 480}

def _mb_512(_os, _inputs):
    return {"cpu": 1, "memory": 512}

def _mb_576(_os, _inputs):
    return {"cpu": 1, "memory": 576}

def _mb_640(_os, _inputs):
    return {"cpu": 1, "memory": 640}

def _mb_704(_os, _inputs):
    return {"cpu": 1, "memory": 704}

def _mb_768(_os, _inputs):
    return {"cpu": 1, "memory": 768}

def _mb_832(_os, _inputs):
    return {"cpu": 1, "memory": 832}

def _mb_896(_os, _inputs):
    return {"cpu": 1, "memory": 896}

def _mb_960(_os, _inputs):
    return {"cpu": 1, "memory": 960}

def _mb_1024(_os, _inputs):
    return {"cpu": 1, "memory": 1024}

def _mb_1152(_os, _inputs):
    return {"cpu": 1, "memory": 1152}

def _mb_1280(_os, _inputs):
    return {"cpu": 1, "memory": 1280}

def _mb_1408(_os, _inputs):
    return {"cpu": 1, "memory": 1408}

def _mb_1536(_os, _inputs):
    return {"cpu": 1, "memory": 1536}

def _mb_1664(_os, _inputs):
    return {"cpu": 1, "memory": 1664}

def _mb_1792(_os, _inputs):
    return {"cpu": 1, "memory": 1792}

def _mb_1920(_os, _inputs):
    return {"cpu": 1, "memory": 1920}

def _mb_2048(_os, _inputs):
    return {"cpu": 1, "memory": 2048}

def _mb_2304(_os, _inputs):
    return {"cpu": 1, "memory": 2304}

def _mb_2560(_os, _inputs):
    return {"cpu": 1, "memory": 2560}

def _mb_2816(_os, _inputs):
    return {"cpu": 1, "memory": 2816}

def _mb_3072(_os, _inputs):
    return {"cpu": 1, "memory": 3072}

def _mb_3328(_os, _inputs):
    return {"cpu": 1, "memory": 3328}

def _mb_3584(_os, _inputs):
    return {"cpu": 1, "memory": 3584}

def _mb_3840(_os, _inputs):
    return {"cpu": 1, "memory": 3840}

def _mb_4096(_os, _inputs):
    return {"cpu": 1, "memory": 4096}

def _mb_4608(_os, _inputs):
    return {"cpu": 1, "memory": 4608}

def _mb_5120(_os, _inputs):
    return {"cpu": 1, "memory": 5120}

def _mb_5632(_os, _inputs):
    return {"cpu": 1, "memory": 5632}

def _mb_6144(_os, _inputs):
    return {"cpu": 1, "memory": 6144}

def _mb_6656(_os, _inputs):
    return {"cpu": 1, "memory": 6656}

def _mb_7168(_os, _inputs):
    return {"cpu": 1, "memory": 7168}

def _mb_7680(_os, _inputs):
    return {"cpu": 1, "memory": 7680}

def _mb_8192(_os, _inputs):
    return {"cpu": 1, "memory": 8192}

def _mb_9216(_os, _inputs):
    return {"cpu": 1, "memory": 9216}

def _mb_10240(_os, _inputs):
    return {"cpu": 1, "memory": 10240}

def _mb_11264(_os, _inputs):
    return {"cpu": 1, "memory": 11264}

def _mb_12288(_os, _inputs):
    return {"cpu": 1, "memory": 12288}

def _mb_13312(_os, _inputs):
    return {"cpu": 1, "memory": 13312}

def _mb_14336(_os, _inputs):
    return {"cpu": 1, "memory": 14336}

def _mb_15360(_os, _inputs):
    return {"cpu": 1, "memory": 15360}

def _mb_16384(_os, _inputs):
    return {"cpu": 1, "memory": 16384}

def _mb_18432(_os, _inputs):
    return {"cpu": 1, "memory": 18432}

def _mb_20480(_os, _inputs):
    return {"cpu": 1, "memory": 20480}

def _mb_22528(_os, _inputs):
    return {"cpu": 1, "memory": 22528}

def _mb_24576(_os, _inputs):
    return {"cpu": 1, "memory": 24576}

def _mb_26624(_os, _inputs):
    return {"cpu": 1, "memory": 26624}

def _mb_28672(_os, _inputs):
    return {"cpu": 1, "memory": 28672}

def _mb_30720(_os, _inputs):
    return {"cpu": 1, "memory": 30720}

def _mb_32768(_os, _inputs):
    return {"cpu": 1, "memory": 32768}

_SIZES = {
    256: _mb_256,
    288: _mb_288,
    320: _mb_320,
    352: _mb_352,
    384: _mb_384,
    416: _mb_416,
    448: _mb_448,
    480: _mb_480,
    512: _mb_512,
    576: _mb_576,
    640: _mb_640,
    704: _mb_704,
    768: _mb_768,
    832: _mb_832,
    896: _mb_896,
    960: _mb_960,
    1024: _mb_1024,
    1152: _mb_1152,
    1280: _mb_1280,
    1408: _mb_1408,
    1536: _mb_1536,
    1664: _mb_1664,
    1792: _mb_1792,
    1920: _mb_1920,
    2048: _mb_2048,
    2304: _mb_2304,
    2560: _mb_2560,
    2816: _mb_2816,
    3072: _mb_3072,
    3328: _mb_3328,
    3584: _mb_3584,
    3840: _mb_3840,
    4096: _mb_4096,
    4608: _mb_4608,
    5120: _mb_5120,
    5632: _mb_5632,
    6144: _mb_6144,
    6656: _mb_6656,
    7168: _mb_7168,
    7680: _mb_7680,
    8192: _mb_8192,
    9216: _mb_9216,
    10240: _mb_10240,
    11264: _mb_11264,
    12288: _mb_12288,
    13312: _mb_13312,
    14336: _mb_14336,
    15360: _mb_15360,
    16384: _mb_16384,
    18432: _mb_18432,
    20480: _mb_20480,
    22528: _mb_22528,
    24576: _mb_24576,
    26624: _mb_26624,
    28672: _mb_28672,
    30720: _mb_30720,
    32768: _mb_32768,
}

def memory(megabytes):
    """The resource_set of an action of one core.

    Args:
      megabytes: what it takes at its peak.

    Returns:
      A function for ctx.actions.run: the next size, or the largest one if it takes more.
    """
    for size, request in _SIZES.items():
        if megabytes <= size:
            return request
    return _mb_32768
