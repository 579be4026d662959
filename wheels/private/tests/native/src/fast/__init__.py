import ctypes
import pathlib


def main():
    library = next(pathlib.Path(__file__).parent.glob("kernels.*"))
    print(ctypes.CDLL(str(library)).answer())
