"""Stands for bitsandbytes in the tests of its overlay."""
