import { foldedCell, objectCell, textCell } from "../pages/cells.ts";
import { escapeHtml } from "../../text/html.ts";
import { badge, field, link, nameText } from "../pages/html.ts";
import { scoreText, secondsText, shortNumber, type ShownRow, type ShownScore } from "./cells.ts";
import type { RowPair } from "./row-pairs.ts";
import { changeOf, isWorse, type Change, type Directions, type Verdict } from "./row-verdict.ts";

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  worse: "worse",
  better: "better",
  "only-compared": "only in the compared one",
  "only-baseline": "only in the baseline",
  same: "same scores",
};

const VERDICT_BADGES = {
  worse: "bad",
  better: "good",
  "only-compared": "quiet",
  "only-baseline": "quiet",
  same: "quiet",
} as const satisfies Record<Verdict, string>;

/** A row of an experiment, as HTML. */
export function rowCard(row: ShownRow, occurrence: number): string {
  const scores = row.scores.map((score) => scoreItem(score.label, escapeHtml(scoreText(score)), "same", score.comment));
  const fields = [
    field("Inputs", objectCell(row.inputs)),
    field("Expected", objectCell(row.expected)),
    field("Output", outcome(row)),
  ];
  const verdict = hasFailed(row) ? "worse" : "same";
  const head = [hasFailed(row) ? badge("bad", "failed") : "", ...aboutOf(row), secondsText(row.seconds)];
  return card({ ...row, occurrence, verdict, head, scores, fields, below: foldedCell("Metadata", row.metadata) });
}

/** A row of two experiments side by side, as HTML. */
export function pairCard(pair: RowPair, one: ShownRow | undefined, other: ShownRow | undefined, ways: Directions) {
  const { rowId, occurrence, verdict } = pair;
  const fields = [
    ...bothOf("Inputs", objectCell(one?.inputs), objectCell(other?.inputs), one && other),
    ...bothOf("Expected", objectCell(one?.expected), objectCell(other?.expected), one && other),
    one === undefined ? "" : field("Baseline", outcome(one)),
    other === undefined
      ? ""
      : field(one?.outputs === other.outputs ? "Compared, same output" : "Compared", outcome(other)),
  ];
  const seconds = [one, other].map((row) => secondsText(row?.seconds)).filter((text) => text !== "");
  const head = [
    badge(VERDICT_BADGES[verdict], VERDICT_WORDS[verdict]),
    ...aboutOf(other ?? one),
    [...new Set(seconds)].join(" → "),
  ];
  const inBoth = one !== undefined && other !== undefined;
  const scores = inBoth
    ? comparedScores(one.scores, other.scores, ways)
    : ((one ?? other)?.scores ?? []).map((score) =>
        scoreItem(score.label, escapeHtml(valueOf(score)), "same", score.comment),
      );
  const { caseId } = other ?? one ?? {};
  return card({ rowId, caseId, occurrence, verdict, head, scores, fields });
}

/** A change that is readable without colours: an arrow, the difference and a word, as HTML. */
export function changeText(
  before: number | null | undefined,
  after: number | null | undefined,
  change: Change,
  textOf = (size: number) => shortNumber(size, 4),
): string {
  if (change === "same") return "";
  if (change === "lost" || change === "new") return `<b class="${isWorse(change) ? "worse" : ""}">${change}</b>`;
  const delta = (after ?? 0) - (before ?? 0);
  return `<b class="${change}">${delta > 0 ? "▲ +" : "▼ -"}${textOf(Math.abs(delta))} ${change}</b>`;
}

// All texts but the ids are HTML.
interface Card {
  readonly rowId: string;
  readonly caseId: string | undefined;
  readonly occurrence: number;
  readonly verdict: Verdict;
  readonly head: readonly string[];
  readonly scores: readonly string[];
  readonly fields: readonly string[];
  readonly below?: string;
}

function card({ rowId, caseId = rowId, occurrence, verdict, head, scores, fields, below = "" }: Card): string {
  const anchor = `row-${rowId}${occurrence === 1 ? "" : `-${String(occurrence)}`}`;
  const name = `<h3><a href="#${escapeHtml(anchor)}" title="${escapeHtml(rowId)}">${escapeHtml(nameText(caseId))}</a></h3>`;
  const parts = [name, ...head];
  return `<article class="${verdict}" id="${escapeHtml(anchor)}">
<header>${parts.filter((part) => part !== "").join(" ")}</header>
${scores.length === 0 ? "" : `<ul class="scores">${scores.join("")}</ul>\n`}<dl>${fields.join("")}</dl>${below}
</article>`;
}

function aboutOf(row: ShownRow | undefined): readonly string[] {
  const { name = "", repetition } = row ?? {};
  return [
    repetition === undefined ? "" : `repetition ${escapeHtml(nameText(repetition))}`,
    escapeHtml(nameText(name)),
  ].map((text) => (text === "" ? "" : `<span class="soft">${text}</span>`));
}

// Rows with the same id may have different inputs.
function bothOf(name: string, one: string, other: string, inBoth: unknown): readonly string[] {
  if (inBoth === undefined || one === other) return [field(name, one === "" ? other : one)];
  return [field(`${name}, baseline`, one), field(`${name}, compared`, other)];
}

function hasFailed({ error }: ShownRow): boolean {
  return error !== undefined && error !== "";
}

function outcome(row: ShownRow): string {
  const output = objectCell(row.outputs);
  const error = hasFailed(row) ? `<div class="fault"><b class="worse">Error</b>${textCell(row.error)}</div>` : "";
  return output + error === "" ? '<p class="soft">no output</p>' : output + error;
}

function scoreItem(label: string, html: string, change: Change, comment?: string): string {
  const title = comment === undefined || comment === "" ? "" : ` title="${escapeHtml(comment.slice(0, 1000))}"`;
  const colour = isWorse(change) ? "worse" : change;
  return `<li class="${colour}"${title}>${escapeHtml(nameText(label))} ${html}</li>`;
}

function comparedScores(one: readonly ShownScore[], other: readonly ShownScore[], ways: Directions): readonly string[] {
  const before = new Map(one.map((score) => [score.label, score]));
  const after = new Map(other.map((score) => [score.label, score]));
  return [...new Set([...before.keys(), ...after.keys()])].map((label) => {
    const [a, b] = [before.get(label), after.get(label)];
    const change = changeOf(a?.score, b?.score, ways.isLower(label));
    const texts = [valueOf(a), valueOf(b)].map(escapeHtml);
    const html = [[...new Set(texts)].join(" → "), changeText(a?.score, b?.score, change)].filter(
      (text) => text !== "",
    );
    return scoreItem(label, html.join(" "), change, b?.comment ?? a?.comment);
  });
}

function valueOf(score: ShownScore | undefined): string {
  const text = score === undefined ? "" : scoreText(score);
  return text === "" ? "none" : nameText(text);
}

/** A link to the pairs of a verdict; only its name if there are none, or if they are shown. */
export function verdictLink(path: string, words: string, count: number, isShown: boolean): string {
  const text = `${words} ${String(count)}`;
  if (isShown) return `<strong aria-current="page">${escapeHtml(text)}</strong>`;
  return count === 0 ? `<span>${escapeHtml(text)}</span>` : link(path, text);
}
