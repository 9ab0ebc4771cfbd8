import { SUCCESSES, type Outcome } from "../../../../src/deployment/outcomes.ts";
import { ForeignText } from "../../../../src/text/foreign-text.ts";
import type { Sign, RunBrief } from "../../../account/brief.ts";
import { runBrief } from "../../../account/brief.ts";
import { MarkdownPen } from "../../../account/markdown-pen.ts";
import type { SummaryOptions } from "../../../account/summary.ts";
import type { DeployFacts } from "./facts.ts";
import { headParts, linksPart, rollbackPart } from "./summary.ts";

/** The section of a deploy in the comment of a pull request: its state, the agent's address, and why it failed. */
export function deployBrief(facts: DeployFacts, { redact, rehearsal = false }: SummaryOptions = {}): RunBrief {
  const { ended, name = "deployment", url, page } = facts;
  const text = new ForeignText(redact);
  const pen = new MarkdownPen(text);
  const parts = [
    ...headParts(facts, rehearsal, pen),
    rollbackPart(facts, pen),
    linksPart(facts, pen),
    endOfPreview(facts, pen),
  ];
  // What is gone has no address.
  const address = rehearsal || facts.notKept !== undefined ? undefined : (url ?? page);
  const brief = { name, sign: signOf(facts), state: stateOf(ended?.outcome), page: address, parts };
  return runBrief(brief, { text, rehearsal });
}

function endOfPreview({ ended, pullRequest, notKept, unproved }: DeployFacts, pen: MarkdownPen): string {
  const outcomes: readonly (Outcome | undefined)[] = ["deployed", "started", "unchanged"];
  const isThere = notKept === undefined && outcomes.includes(ended?.outcome);
  if (pullRequest === undefined || !isThere) return "";
  return unproved === undefined ? "This preview is removed when the pull request is closed." : pen.sentence(unproved);
}

function signOf({ ended }: DeployFacts): Sign {
  if (ended === undefined || ended.error !== undefined) return "bad";
  if (ended.outcome === "dry-run" || ended.outcome === "skipped") return "neutral";
  if (ended.outcome === "superseded") return "warning";
  if (ended.outcome === "removed") return "gone";
  return SUCCESSES.some((outcome) => outcome === ended.outcome) ? "good" : "bad";
}

function stateOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "not finished";
  return outcome === "deployed" ? "live" : outcome.replace("-", " ");
}
