// SPDX-License-Identifier: MIT

import ObserverEngine
