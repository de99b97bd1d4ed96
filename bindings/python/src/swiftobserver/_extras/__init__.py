# SPDX-License-Identifier: MIT
"""What most programs do without; loaded when it is first asked for."""
