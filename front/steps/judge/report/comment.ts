import { ForeignText, type Redact } from "../../../../src/text/foreign-text.ts";
import { MarkdownPen } from "../../../account/markdown-pen.ts";
import { pageOf, summaryText } from "../../../account/account.ts";
import { account } from "./account.ts";
import { NO_FACTS, type Shown } from "./facts.ts";

// GitHub takes 65,536 characters; bytes are never fewer.
const LIMIT_BYTES = 60_000;

/** By it a job finds the comment of an earlier run, to write over it. */
export const COMMENT_MARK = "<!-- graph-deploy judgement -->";

/** What must not be in a comment, and what it knows of the run. */
export interface CommentOptions {
  readonly redact?: Redact;
  readonly runUrl?: string | undefined;
  /** All that the step warned of; those of the judgement if not given. */
  readonly warnings?: readonly string[];
}

/**
 * The comment of a judgement as markdown, at most 60,000 bytes: the line, the gaps and warnings, the metrics, the rules, and the cases to look at
 * by their names. It holds no text of a case, and ends with a line break.
 */
export function commentOf(judged: Shown, { redact, runUrl, warnings }: CommentOptions = {}): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  const facts = { ...NO_FACTS, judged, warnings: warnings ?? judged.judgement.warnings };
  const parts = pageOf(account(facts, { runUrl }, pen), "comment", pen);
  return `${COMMENT_MARK}\n${summaryText(parts, LIMIT_BYTES - COMMENT_MARK.length - 1)}`;
}
