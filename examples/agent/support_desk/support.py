"""The graph that answers customers."""

from typing import TypedDict

from support_desk.articles import best_article


class SupportState(TypedDict, total=False):
    question: str
    answer: str
    source: str | None
    handed_over: bool


def answer(state: SupportState) -> SupportState:
    """Answers from an article; without one, a person takes over."""
    article = best_article(state.get("question", ""))
    if article is None:
        return {**state, "answer": "A colleague will answer within a day.", "source": None, "handed_over": True}
    return {**state, "answer": article.text, "source": article.title, "handed_over": False}


graph = answer
