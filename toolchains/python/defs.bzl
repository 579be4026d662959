"""Rules and providers of the Python toolchains.

An action that needs an interpreter asks the toolchain type
`//toolchains/python:exec_toolchain_type` (field `runtime`); one that builds
for a target's Python asks `//toolchains/python:target_toolchain_type` (field
`target`). Neither ever names the machine's own python3.
"""

load("//toolchains/python/private:package.bzl", _python_package = "python_package")
load("//toolchains/python/private:providers.bzl", _PythonPackageInfo = "PythonPackageInfo", _PythonRuntimeInfo = "PythonRuntimeInfo", _PythonTargetInfo = "PythonTargetInfo")
load("//toolchains/python/private:runtime.bzl", _python_exec_toolchain = "python_exec_toolchain", _python_runtime = "python_runtime")
load("//toolchains/python/private:runtime_action.bzl", _EXEC_TOOLCHAIN = "EXEC_TOOLCHAIN", _run_python = "run_python")
load("//toolchains/python/private:target.bzl", _python_target = "python_target", _python_target_toolchain = "python_target_toolchain")
load("//toolchains/python/private:test.bzl", _exec_python_test = "exec_python_test")

EXEC_TOOLCHAIN = _EXEC_TOOLCHAIN
TARGET_TOOLCHAIN = "//toolchains/python:target_toolchain_type"

PythonPackageInfo = _PythonPackageInfo
PythonRuntimeInfo = _PythonRuntimeInfo
PythonTargetInfo = _PythonTargetInfo

exec_python_test = _exec_python_test
python_exec_toolchain = _python_exec_toolchain
python_package = _python_package
python_runtime = _python_runtime
python_target = _python_target
python_target_toolchain = _python_target_toolchain
run_python = _run_python
