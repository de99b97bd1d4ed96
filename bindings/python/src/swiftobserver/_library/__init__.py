# SPDX-License-Identifier: MIT
"""The shared library: its declarations, how it is called, and what Python has to keep for it."""
