"""All problems, in the order of their files."""

import controlled  # noqa: F401
import flexible  # noqa: F401
import linkages  # noqa: F401
import particles  # noqa: F401
import bodies  # noqa: F401
import switching  # noqa: F401
import contacts  # noqa: F401
import plain  # noqa: F401
import outside  # noqa: F401
import unequal  # noqa: F401
from problem import REGISTRY  # noqa: F401
