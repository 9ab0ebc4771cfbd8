import { isEmpty, markup, type Content, type Markup } from "./markup.ts";
import { breakableName } from "./names.ts";

// The longest heading of a column.
const HEADING_CHARACTERS = 40;

/** A column of a table: its heading, and whether its cells name their rows, are numbers, or are sentences that need room. */
export type Column = string | { readonly name: string } | { readonly number: string } | { readonly text: string };

type Rows = readonly (readonly Content[])[];

/** A table that scrolls if it is wider than the page; `label` names it for screen readers. */
export function table(label: string, columns: readonly Column[], rows: Rows): Markup {
  return markup`<div class="scroll" tabindex="0" role="region"><table aria-label="${label}">${linesOf(columns, rows)}</table></div>`;
}

/** A table whose rows lead to pages: the link in the first cell takes clicks anywhere in its row. */
export function linkTable(label: string, columns: readonly Column[], rows: Rows): Markup {
  return markup`<div class="scroll"><table class="rows" aria-label="${label}">${linesOf(columns, rows)}</table></div>`;
}

/** Names and values; a value that is empty is left out with its name. */
export function factList(facts: readonly (readonly [name: string, value: Content])[]): Markup {
  return markup`<dl class="facts">${facts.map(([name, value]) => field(name, value))}</dl>`;
}

/** A name and its value in a list; nothing where the value is empty. */
export function field(name: string, value: Content): Content {
  return !isEmpty(value) && markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function linesOf(columns: readonly Column[], rows: Rows): Markup {
  const shown = columns.map((column) => {
    if (typeof column === "string") return { heading: column };
    if ("name" in column) return { heading: column.name, isName: true };
    return "number" in column
      ? { heading: column.number, kind: markup` class="n"` }
      : { heading: column.text, kind: markup` class="t"` };
  });
  const heads = shown.map(({ heading, kind, isName }) => {
    const name = breakableName(heading, HEADING_CHARACTERS);
    return isName === true && heading === "" ? markup`<td></td>` : markup`<th scope="col"${kind}>${name}</th>`;
  });
  const lines = rows.map((cells) => {
    const line = cells.map((cell, index) => {
      const { kind, isName } = shown[index] ?? {};
      return isName === true ? markup`<th scope="row">${cell}</th>` : markup`<td${kind}>${cell}</td>`;
    });
    return markup`<tr>${line}</tr>\n`;
  });
  return markup`\n<tr>${heads}</tr>\n${lines}`;
}
