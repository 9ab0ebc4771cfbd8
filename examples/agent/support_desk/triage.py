"""The graph that sorts messages into queues."""

from typing import Literal, TypedDict

Queue = Literal["billing", "access", "general"]

QUEUES: dict[Queue, tuple[str, ...]] = {
    "billing": ("invoice", "price", "refund", "charged"),
    "access": ("password", "login", "locked", "two-factor"),
}
URGENT = ("outage", "down", "locked", "urgent", "breach")


class TriageState(TypedDict, total=False):
    message: str
    queue: Queue
    urgent: bool


def sort(state: TriageState) -> TriageState:
    """Puts a message into the first queue that one of its words belongs to."""
    text = state.get("message", "").lower()
    queue: Queue = next((name for name, words in QUEUES.items() if any(word in text for word in words)), "general")
    return {**state, "queue": queue, "urgent": any(word in text for word in URGENT)}


graph = sort
