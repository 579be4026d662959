"""Makes the trees of the Python toolchains, in actions, with the exec interpreter.

    runtime    the exec interpreter itself, completed
    target     headers, import libraries and build facts of a target's Python
    implib     reads an import library's names and writes a .def of them
"""
