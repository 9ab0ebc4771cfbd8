import { cut } from "../../text/foreign-text.ts";
import { escapeHtml } from "../../text/html.ts";

// The longest name in headings, links and tables.
const NAME_CHARACTERS = 120;
// The longest heading of a column.
const HEADING_CHARACTERS = 40;
// After a mark that joins words, and within a word that is wider than a column.
const NAME_BREAKS = /(?<=[_.:])(?=[^/])|(?<=[^/:\s])(?=\/)|(?<=[A-Za-z0-9]{16})(?=[A-Za-z0-9])/;

/** The first characters of a text, without half a surrogate pair at the end. */
export function beginning(text: string, characters: number): string {
  return text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
}

/** A foreign name as text; a long one is cut. */
export function nameText(name: string, characters = NAME_CHARACTERS): string {
  // An ellipsis is no longer than the character that it replaces.
  return cut(name, characters + 1);
}

/** A foreign name as HTML, cut like `nameText`. A narrow column may break it after marks and within long words. */
export function nameHtml(name: string, characters = NAME_CHARACTERS): string {
  return nameText(name, characters).split(NAME_BREAKS).map(escapeHtml).join("<wbr>");
}

/** A link. Only web addresses and paths become links; other text stays text. */
export function link(href: string, text: string, title = ""): string {
  // An address stays in one piece, so that it can be read and copied.
  const name = text === href ? escapeHtml(nameText(text)) : nameHtml(text);
  if (!/^(?:https?:\/\/|\/(?!\/))/.test(href)) return name;
  return `<a href="${escapeHtml(href)}"${title === "" ? "" : ` title="${escapeHtml(title)}"`}>${name}</a>`;
}

/** A column of a table: its heading, and whether its cells are numbers, or sentences that need room. */
export type Column = string | { readonly number: string } | { readonly text: string };

/** A table that scrolls if it is wider than the page. The cells are HTML; `label` names it for screen readers. */
export function table(label: string, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  return scrolling(`<table aria-label="${escapeHtml(label)}">`, columns, rows, ' tabindex="0" role="region"');
}

/** A table whose rows lead to pages: the link in the first cell takes clicks anywhere in its row. */
export function linkTable(label: string, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  return scrolling(`<table class="rows" aria-label="${escapeHtml(label)}">`, columns, rows);
}

export function endpointTable(
  label: string,
  endpoints: readonly (readonly [endpoint: string, what: string])[],
  heading = "What it does",
): string {
  const rows = endpoints.map(([endpoint, what]) => [`<code>${nameHtml(endpoint)}</code>`, escapeHtml(what)]);
  return table(label, ["Endpoint", { text: heading }], rows);
}

function scrolling(open: string, columns: readonly Column[], rows: readonly (readonly string[])[], reach = ""): string {
  const shown = columns.map((column) => {
    if (typeof column === "string") return { heading: column, kind: "" };
    return "number" in column
      ? { heading: column.number, kind: ' class="n"' }
      : { heading: column.text, kind: ' class="t"' };
  });
  const heads = shown.map(
    ({ heading, kind }) => `<th scope="col"${kind}>${nameHtml(heading, HEADING_CHARACTERS)}</th>`,
  );
  const lines = rows.map(
    (cells) => `<tr>${cells.map((cell, index) => `<td${shown[index]?.kind ?? ""}>${cell}</td>`).join("")}</tr>`,
  );
  return `<div class="scroll"${reach}>${open}\n<tr>${heads.join("")}</tr>\n${lines.join("\n")}\n</table></div>`;
}

/** Names and values as HTML. The names are text, the values HTML; empty values are left out. */
export function factList(facts: readonly (readonly [name: string, html: string])[]): string {
  return `<dl class="facts">${facts.map(([name, html]) => field(name, html)).join("")}</dl>`;
}

export function field(name: string, html: string): string {
  return html === "" ? "" : `<div><dt>${escapeHtml(name)}</dt><dd>${html}</dd></div>`;
}

/** A status in one word; the colour only repeats the word. */
export function badge(kind: "bad" | "busy" | "good" | "quiet", word: string): string {
  return `<b class="badge ${kind}">${escapeHtml(word)}</b>`;
}

/** The first characters of an id, for a table. */
export function shortId(id: string): string {
  return beginning(id, 8);
}

/** Which items a page shows, and of how many. */
export interface ShownPage {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** The position in a list and links to its other pages, as HTML. `path` is the address of the list. */
export function pager(path: string, noun: string, { offset, limit, total }: ShownPage): string {
  if (total === 0) return `<p class="soft">No ${noun}.</p>`;
  const at = (start: number) => `${path}${path.includes("?") ? "&" : "?"}offset=${String(start)}`;
  // The offset of an old address may lie beyond the end.
  const last = Math.floor((total - 1) / limit) * limit;
  const items = `${String(offset + 1)} to ${String(Math.min(offset + limit, total))}`;
  const heading = noun.charAt(0).toUpperCase() + noun.slice(1);
  const position =
    offset < total ? `${heading} ${items} of ${String(total)}` : `No ${noun} here, ${String(total)} in all`;
  const parts = [
    `<span>${position}</span>`,
    offset > 0 ? link(at(0), "first") : "",
    offset > 0 ? link(at(Math.min(last, Math.max(0, offset - limit))), "previous") : "",
    offset + limit < total ? link(at(offset + limit), "next") : "",
    offset < last ? link(at(last), "last") : "",
  ];
  return `<nav aria-label="Pages of ${noun}">${parts.join(" ")}</nav>`;
}
