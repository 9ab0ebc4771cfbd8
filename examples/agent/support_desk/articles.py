"""What the support desk knows."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Article:
    title: str
    keywords: frozenset[str]
    text: str


ARTICLES = (
    Article(
        title="Reset your password",
        keywords=frozenset({"password", "login", "reset", "locked"}),
        text="Choose “Forgot password” on the sign-in page. The link in the mail works for one hour.",
    ),
    Article(
        title="Change your plan",
        keywords=frozenset({"plan", "upgrade", "downgrade", "price"}),
        text="Owners change the plan under Settings, Billing. A smaller plan starts with the next month.",
    ),
    Article(
        title="Get an invoice",
        keywords=frozenset({"invoice", "receipt", "billing", "vat"}),
        text="Every invoice is under Settings, Billing, Invoices, and is sent to the billing address.",
    ),
)


def best_article(question: str) -> Article | None:
    """The article that shares the most keywords with the question, if any shares one."""
    words = set(question.lower().replace("?", " ").replace(",", " ").split())
    article = max(ARTICLES, key=lambda candidate: len(candidate.keywords & words))
    return article if article.keywords & words else None
