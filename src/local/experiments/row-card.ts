import { isEmpty, joined, markup, type Markup } from "../../pages/markup.ts";
import { badge, nameText } from "../../pages/names.ts";
import { field } from "../../pages/table.ts";
import { foldedCell, objectCell, textCell } from "../pages/cells.ts";
import { scoreText, secondsText, type ShownRow, type ShownScore } from "./cells.ts";

/** A row of an experiment; `occurrence` counts the rows of a page with its id, from 1. */
export function rowCard(row: ShownRow, occurrence: number): Markup {
  const { rowId, caseId = rowId, name = "", repetition, error = "" } = row;
  const anchor = `row-${rowId}${occurrence === 1 ? "" : `-${String(occurrence)}`}`;
  const about = [repetition === undefined ? "" : `repetition ${nameText(repetition)}`, nameText(name)];
  const head = [
    markup`<h3><a href="#${anchor}" title="${rowId}">${nameText(caseId)}</a></h3>`,
    error !== "" && badge("bad", "failed"),
    ...about.map((text) => text !== "" && markup`<span class="soft">${text}</span>`),
    secondsText(row.seconds),
  ];
  const output = [
    objectCell(row.outputs),
    error !== "" && markup`<div class="fault"><b class="worse">Error</b>${textCell(error)}</div>`,
  ];
  const scores = row.scores.map(scoreItem);
  return markup`<article class="${error === "" ? "" : "worse"}" id="${anchor}">
<header>${joined(head, " ")}</header>
${scores.length > 0 && markup`<ul class="scores">${scores}</ul>\n`}<dl>${[
    field("Inputs", objectCell(row.inputs)),
    field("Expected", objectCell(row.expected)),
    field("Output", isEmpty(output) ? markup`<p class="soft">no output</p>` : output),
  ]}</dl>${foldedCell("Metadata", row.metadata)}
</article>
`;
}

function scoreItem(score: ShownScore): Markup {
  const { label, comment = "" } = score;
  const title = comment !== "" && markup` title="${comment.slice(0, 1000)}"`;
  return markup`<li${title}>${nameText(label)} ${nameText(scoreText(score))}</li>`;
}
