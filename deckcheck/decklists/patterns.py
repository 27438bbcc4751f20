"""Patterns that are compiled when they are first needed: most lists need few of them, and compiling takes time."""

from __future__ import annotations

import re
from functools import cache

compiled = cache(re.compile)
