"""Providers of wheels."""

WheelInfo = provider(
    doc = "One wheel for one platform, packed and audited.",
    fields = {
        "wheel": "File: the wheel. It exists only if the audit passed.",
        "provenance": "File: the SLSA statement about the wheel; None for upstream's.",
        "report": "File: what the audit found, JSON (go/cmd/wheel).",
        "pin": "string: name in third_party/pins.json.",
        "platform": "string: name of a target in //platforms.",
        "version": "string: the version of the wheel; the pin's unless upstream made it.",
        "origin": "string: built, or upstream for a wheel that upstream published.",
    },
)

WheelsInfo = provider(
    doc = "One wheel on all of its platforms.",
    fields = {
        "wheels": "list of WheelInfo, one per platform.",
    },
)
