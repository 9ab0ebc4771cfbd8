import { parseInstant } from "../../contract/instant.ts";
import { isEmpty, joined, markup, type Markup } from "../../pages/markup.ts";
import { badge, nameText } from "../../pages/names.ts";
import { field } from "../../pages/table.ts";
import { membersIn, membersOf, without } from "../http/raw-json.ts";
import { foldedCell, objectCell, stringOf, textCell } from "../pages/cells.ts";
import { occurrences, scoreText, secondsText, shownScores, type ShownScore } from "./cells.ts";

/** The rows of a page, each from its text as it was sent. */
export function rowCards(texts: readonly string[]): readonly Markup[] {
  const rows = texts.map(membersOf);
  const ids = rows.map((row) => (stringOf(row.get("row_id")) ?? "").toLowerCase());
  const numbers = occurrences(ids);
  return rows.map((row, index) => rowCard(row, ids[index] ?? "", numbers[index] ?? 1));
}

// Metadata that a card shows elsewhere.
const SHOWN_ELSEWHERE = new Set(["case_id", "repetition"]);

/** `occurrence` counts the rows of a page with its id, from 1. */
function rowCard(row: ReadonlyMap<string, string>, rowId: string, occurrence: number): Markup {
  const textOf = (name: string) => stringOf(row.get(name)) ?? "";
  const metadata = membersIn(row.get("run_metadata"));
  // Its number among several attempts at one case.
  const repetition = plainText(metadata.get("repetition"));
  const error = textOf("error");
  const start = parseInstant(textOf("start_time"));
  const end = parseInstant(textOf("end_time"));
  const seconds = start && end ? Number(end.microseconds - start.microseconds) / 1e6 : undefined;
  const anchor = `row-${rowId}${occurrence === 1 ? "" : `-${String(occurrence)}`}`;
  const about = [repetition === "" ? "" : `repetition ${nameText(repetition)}`, nameText(textOf("run_name"))];
  const head = [
    markup`<h3><a href="#${anchor}" title="${rowId}">${nameText(plainText(metadata.get("case_id")) || rowId)}</a></h3>`,
    error !== "" && badge("bad", "failed"),
    ...about.map((text) => text !== "" && markup`<span class="soft">${text}</span>`),
    secondsText(seconds),
  ];
  const output = [
    objectCell(row.get("actual_outputs")),
    error !== "" && markup`<div class="fault"><b class="worse">Error</b>${textCell(error)}</div>`,
  ];
  const scores = shownScores(row.get("evaluation_scores")).map(scoreItem);
  return markup`<article class="${error === "" ? "" : "worse"}" id="${anchor}">
<header>${joined(head, " ")}</header>
${scores.length > 0 && markup`<ul class="scores">${scores}</ul>\n`}<dl>${[
    field("Inputs", objectCell(row.get("inputs"))),
    field("Expected", objectCell(row.get("expected_outputs"))),
    field("Output", isEmpty(output) ? markup`<p class="soft">no output</p>` : output),
  ]}</dl>${foldedCell("Metadata", without(metadata, SHOWN_ELSEWHERE))}
</article>
`;
}

// A string or a number; empty for any other JSON.
function plainText(json = ""): string {
  return stringOf(json) ?? (/^-?\d/.test(json) ? json : "");
}

function scoreItem(score: ShownScore): Markup {
  const { label, comment = "" } = score;
  const title = comment !== "" && markup` title="${comment.slice(0, 1000)}"`;
  return markup`<li${title}>${nameText(label)} ${nameText(scoreText(score))}</li>`;
}
