# SPDX-License-Identifier: MIT
"""The version of this package. The tests compare it with the C header, where the version is decided."""

__version__ = "0.1.0"
