import { isEmpty, joined, markup, type Content, type Markup } from "../../pages/markup.ts";
import { badge, link, nameText } from "../../pages/names.ts";
import { field } from "../../pages/table.ts";
import { foldedCell, objectCell, textCell } from "../pages/cells.ts";
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
  "only-compared": "neutral",
  "only-baseline": "neutral",
  same: "neutral",
} as const satisfies Record<Verdict, string>;

/** A row of an experiment. */
export function rowCard(row: ShownRow, occurrence: number): Markup {
  const scores = row.scores.map((score) => scoreItem(score.label, scoreText(score), "same", score.comment));
  const fields = [
    field("Inputs", objectCell(row.inputs)),
    field("Expected", objectCell(row.expected)),
    field("Output", outcome(row)),
  ];
  const verdict = hasFailed(row) ? "worse" : "same";
  const head = [hasFailed(row) && badge("bad", "failed"), ...aboutOf(row), secondsText(row.seconds)];
  return card({ ...row, occurrence, verdict, head, scores, fields, below: foldedCell("Metadata", row.metadata) });
}

/** A row of two experiments side by side. */
export function pairCard(pair: RowPair, one: ShownRow | undefined, other: ShownRow | undefined, ways: Directions) {
  const { rowId, occurrence, verdict } = pair;
  const fields = [
    ...bothOf("Inputs", one?.inputs, other?.inputs, one && other),
    ...bothOf("Expected", one?.expected, other?.expected, one && other),
    one && field("Baseline", outcome(one)),
    other && field(one?.outputs === other.outputs ? "Compared, same output" : "Compared", outcome(other)),
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
    : ((one ?? other)?.scores ?? []).map((score) => scoreItem(score.label, valueOf(score), "same", score.comment));
  const { caseId } = other ?? one ?? {};
  return card({ rowId, caseId, occurrence, verdict, head, scores, fields });
}

/** A change that is readable without colours: an arrow, the difference and a word. */
export function changeText(
  before: number | null | undefined,
  after: number | null | undefined,
  change: Change,
  textOf = (size: number) => shortNumber(size, 4),
): Content {
  if (change === "same") return undefined;
  if (change === "lost" || change === "new") return markup`<b class="${isWorse(change) && "worse"}">${change}</b>`;
  const delta = (after ?? 0) - (before ?? 0);
  return markup`<b class="${change}">${delta > 0 ? "▲ +" : "▼ -"}${textOf(Math.abs(delta))} ${change}</b>`;
}

interface Card {
  readonly rowId: string;
  readonly caseId: string | undefined;
  readonly occurrence: number;
  readonly verdict: Verdict;
  readonly head: readonly Content[];
  readonly scores: readonly Content[];
  readonly fields: readonly Content[];
  readonly below?: Content;
}

function card({ rowId, caseId = rowId, occurrence, verdict, head, scores, fields, below }: Card): Markup {
  const anchor = `row-${rowId}${occurrence === 1 ? "" : `-${String(occurrence)}`}`;
  const name = markup`<h3><a href="#${anchor}" title="${rowId}">${nameText(caseId)}</a></h3>`;
  return markup`<article class="${verdict}" id="${anchor}">
<header>${joined([name, ...head], " ")}</header>
${scores.length > 0 && markup`<ul class="scores">${scores}</ul>\n`}<dl>${fields}</dl>${below}
</article>
`;
}

function aboutOf(row: ShownRow | undefined): readonly Content[] {
  const { name = "", repetition } = row ?? {};
  const texts = [repetition === undefined ? "" : `repetition ${nameText(repetition)}`, nameText(name)];
  return texts.map((text) => text !== "" && markup`<span class="soft">${text}</span>`);
}

// Rows with the same id may have different inputs.
function bothOf(name: string, one: string | undefined, other: string | undefined, inBoth: unknown): readonly Content[] {
  const [before, after] = [markup`${objectCell(one)}`, markup`${objectCell(other)}`];
  if (inBoth === undefined || before.text === after.text) return [field(name, isEmpty(before) ? after : before)];
  return [field(`${name}, baseline`, before), field(`${name}, compared`, after)];
}

function hasFailed({ error }: ShownRow): boolean {
  return error !== undefined && error !== "";
}

function outcome(row: ShownRow): Content {
  const output = objectCell(row.outputs);
  const error = hasFailed(row) && markup`<div class="fault"><b class="worse">Error</b>${textCell(row.error)}</div>`;
  return isEmpty([output, error]) ? markup`<p class="soft">no output</p>` : [output, error];
}

function scoreItem(label: string, value: Content, change: Change, comment = ""): Markup {
  const title = comment !== "" && markup` title="${comment.slice(0, 1000)}"`;
  const colour = isWorse(change) ? "worse" : change;
  return markup`<li class="${colour}"${title}>${nameText(label)} ${value}</li>`;
}

function comparedScores(one: readonly ShownScore[], other: readonly ShownScore[], ways: Directions): readonly Markup[] {
  const before = new Map(one.map((score) => [score.label, score]));
  const after = new Map(other.map((score) => [score.label, score]));
  return [...new Set([...before.keys(), ...after.keys()])].map((label) => {
    const [a, b] = [before.get(label), after.get(label)];
    const change = changeOf(a?.score, b?.score, ways.isLower(label));
    const values = [...new Set([valueOf(a), valueOf(b)])].join(" → ");
    const value = joined([values, changeText(a?.score, b?.score, change)], " ");
    return scoreItem(label, value, change, b?.comment ?? a?.comment);
  });
}

function valueOf(score: ShownScore | undefined): string {
  const text = score === undefined ? "" : scoreText(score);
  return text === "" ? "none" : nameText(text);
}

/** A link to the pairs of a verdict; only its name if there are none, or if they are shown. */
export function verdictLink(path: string, words: string, count: number, isShown: boolean): Content {
  const text = `${words} ${String(count)}`;
  if (isShown) return markup`<strong aria-current="page">${text}</strong>`;
  return count === 0 ? markup`<span>${text}</span>` : link(path, text);
}
