"""Who wants to hear of sessions: told when one begins, when its pipeline grew, and before it ends.

Sessions tell, `tfqueue.watch` listens; neither needs the other. None of these
moments lies in the path of a step.
"""

observers = []
"""Objects with `began(owner)`, `grew(owner)` and `ending(owner)`."""


def tell(what, owner):
    """Calls the method `what` of all observers, in the thread in which it happens."""
    for observer in list(observers):
        getattr(observer, what)(owner)
