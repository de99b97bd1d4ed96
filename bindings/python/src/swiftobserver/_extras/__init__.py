# SPDX-License-Identifier: MIT
"""Most programs do without these modules, which are loaded when they are first asked for."""
