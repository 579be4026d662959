"""Architectures: from the words that users write to nvcc's flags."""

# What nvcc 13.4 knows (`nvcc --list-gpu-code`); //toolchains/cuda/tests:toolkit_test compares.
ARCHS = [75, 80, 86, 87, 88, 89, 90, 100, 103, 107, 110, 120, 121]

# Architectures from which on code may ask for what only this one has ("a") or for what its
# family has ("f"): CUDA C++ Programming Guide, "Feature Set Compiler Targets".
_SPECIFIC_SINCE = 90
_FAMILY_SINCE = 100

def _split(word):
    """compute_121a -> ("compute", 121, "a"); None if it is no such word."""
    kind, _, rest = word.partition("_")
    suffix = rest[-1] if rest and not rest[-1].isdigit() else ""
    number = rest.removesuffix(suffix) if suffix else rest
    if kind not in ["compute", "sm"] or suffix not in ["", "a", "f"] or not number.isdigit():
        return None
    return kind, int(number), suffix

def _problem(word):
    parts = _split(word)
    if not parts:
        return "%r is no architecture: write sm_121 or compute_121, with a or f after the number where needed" % word
    _, number, suffix = parts
    if number not in ARCHS:
        return "%s: the toolkit does not know it; it knows %s" % (word, ", ".join(["%d" % n for n in ARCHS]))
    if suffix == "a" and number < _SPECIFIC_SINCE:
        return "%s: architecture-specific code exists from %d on" % (word, _SPECIFIC_SINCE)
    if suffix == "f" and number < _FAMILY_SINCE:
        return "%s: family-specific code exists from %d on" % (word, _FAMILY_SINCE)
    return None

def _runs_on(virtual, real):
    """Whether code for a virtual architecture can be assembled for a real one."""
    _, v, v_suffix = virtual
    _, r, _ = real
    if v_suffix == "a":
        return virtual[1:] == real[1:]
    if v_suffix == "f":
        return v // 10 == r // 10 and v <= r and real[2] != ""
    return v <= r

def parse_archs(specs):
    """Turns architectures into pairs of a virtual and a real one.

    Args:
      specs: list of strings, each one of
        "sm_121": code for this GPU (compute_121:sm_121);
        "compute_121": PTX, which the driver compiles for later GPUs;
        "compute_121:sm_121,compute_121": code and PTX from one virtual architecture, as in rules_cuda.
        A number may have a suffix: "a", what only this architecture has, or "f", what its family has.

    Returns:
      (pairs, error): a list of (virtual, codes) with codes a list of strings, and None; or None and what is wrong.
    """
    pairs = []
    for spec in specs:
        if ",code=" in spec:
            return None, "%r is written as for nvcc's -gencode; write VIRTUAL:REAL, such as compute_121:sm_121" % spec
        virtual, colon, codes = spec.partition(":")
        if not colon:
            codes = virtual
            virtual = virtual.replace("sm_", "compute_", 1) if virtual.startswith("sm_") else virtual
        for word in codes.split(",") + [virtual]:
            problem = _problem(word)
            if problem:
                return None, problem
        parts = _split(virtual)
        if parts[0] != "compute":
            return None, "%s: what stands before the colon is a virtual architecture, compute_%d" % (spec, parts[1])
        for code in codes.split(","):
            code_parts = _split(code)
            if code_parts[0] == "compute" and code != virtual:
                return None, "%s: PTX is of the architecture before the colon, %s" % (spec, virtual)
            if code_parts[0] == "sm" and not _runs_on(parts, code_parts):
                return None, "%s: code for %s does not run on %s" % (spec, virtual, code)
        pairs.append((virtual, codes.split(",")))
    if not pairs:
        return None, "no architecture is named"
    return pairs, None

def gencode_flags(pairs):
    """nvcc's flags for what parse_archs returned.

    Args:
      pairs: list of (virtual, codes).

    Returns:
      list of strings.
    """
    flags = []
    for virtual, codes in pairs:
        code = codes[0] if len(codes) == 1 else "[%s]" % ",".join(codes)
        flags += ["-gencode", "arch=%s,code=%s" % (virtual, code)]
    return flags
