"""What is found on a Windows machine that tests make up, with the usual folders."""

load("//toolchains/cc/msvc/private:discover.bzl", "discover")
load(":machine.bzl", "machine")

# An ARM64 machine with Build Tools, and an x64 one that crosses.
ARM64 = discover(machine())
X64 = discover(machine(cpu = "amd64"))
