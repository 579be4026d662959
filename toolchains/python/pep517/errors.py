"""The one exception that ends a build with a message instead of a traceback."""


class BuildError(Exception):
    """What is wrong with the request, the source or its requirements.

    The text is shown to the user as it stands: it names the wheel or file and
    says what to do.
    """
