"""Builds one wheel for another platform by calling its PEP 517 back end.

The package runs in the hash-pinned exec interpreter, as the only program of a
Bazel action, in two processes:

    main     reads the request that the rule wrote, lays out a private work
             folder (workspace) with the tools (tools, compilers), and starts
             the worker in an environment that it made itself. The build's log
             is printed only when the build fails.
    worker   runs in the work folder's copy of the source: makes the
             interpreter answer as the target's (cross), checks that every
             requirement is there (requirements), and calls the back end's
             `build_wheel` hook (backends).

A back end is a module in `backends`; see `backends.Backend` for the seam.

Specifications: PEP 517 (hooks), PEP 518 (build-system table), PEP 739
(build-details.json), and the binary distribution format.
"""
