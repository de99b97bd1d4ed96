# SPDX-License-Identifier: MIT
"""Values: what variables hold, how they change, and what messages are for the library."""
