/** How much of a name a page shows; it stands in headings, links and tables. */
const NAME_CHARACTERS = 120;
/** The same for a column. */
const HEADING_CHARACTERS = 40;
/** Beside a mark that joins words, and in a word that is longer than a column is wide. */
const NAME_BREAKS = /(?<=[_.:])(?=[^/])|(?<=[^/:\s])(?=\/)|(?<=[A-Za-z0-9]{16})(?=[A-Za-z0-9])/;

/** Text for a page, in which every character stands for itself. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** The beginning of a text, which never ends in half a character. */
export function beginning(text: string, characters: number): string {
  return text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
}

/** A foreign name, as text: cut where it is longer than a line of a table can be. */
export function nameText(name: string, characters = NAME_CHARACTERS): string {
  return name.length > characters ? `${beginning(name, characters)}…` : name;
}

/** A foreign name as HTML, cut like `nameText`; a narrow column may break it where its words end, and in long words. */
export function nameHtml(name: string, characters = NAME_CHARACTERS): string {
  return nameText(name, characters).split(NAME_BREAKS).map(escapeHtml).join("<wbr>");
}

/** A link; only web addresses become one, other text stays text. */
export function link(href: string, text: string, title = ""): string {
  // An address stays in one piece, so that it can be read and taken.
  const name = text === href ? escapeHtml(nameText(text)) : nameHtml(text);
  if (!/^(?:https?:\/\/|\/(?!\/))/.test(href)) return name;
  return `<a href="${escapeHtml(href)}"${title === "" ? "" : ` title="${escapeHtml(title)}"`}>${name}</a>`;
}

/** A column of a table: its heading as text, and whether its cells are numbers, or sentences that need room. */
export type Column = string | { readonly number: string } | { readonly text: string };

/** A table that scrolls by itself where it is wider than the page. The cells are HTML; `label` names it for screen readers. */
export function table(label: string, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  return scrolling(`<table aria-label="${escapeHtml(label)}">`, columns, rows, ' tabindex="0" role="region"');
}

/** A table whose rows lead to pages: the first cell of each is a link, and all of the row takes the click. */
export function linkTable(label: string, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  return scrolling(`<table class="rows" aria-label="${escapeHtml(label)}">`, columns, rows);
}

/** What is asked of which path of a server. */
export function endpointTable(
  label: string,
  endpoints: readonly (readonly [endpoint: string, what: string])[],
): string {
  const rows = endpoints.map(([endpoint, what]) => [`<code>${nameHtml(endpoint)}</code>`, escapeHtml(what)]);
  return table(label, ["Endpoint", { text: "What it does" }], rows);
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

/** Facts under their names, as HTML; the names are text, the values HTML, and what is empty is left out. */
export function factList(facts: readonly (readonly [name: string, html: string])[]): string {
  return `<dl class="facts">${facts.map(([name, html]) => field(name, html)).join("")}</dl>`;
}

/** One fact of a list. */
export function field(name: string, html: string): string {
  return html === "" ? "" : `<div><dt>${escapeHtml(name)}</dt><dd>${html}</dd></div>`;
}

/** A state in a word, in a colour that says no more than the word. */
export function badge(kind: "bad" | "busy" | "good" | "quiet", word: string): string {
  return `<b class="badge ${kind}">${escapeHtml(word)}</b>`;
}

/** An id by its first characters, for a table; the whole of it is in the title. */
export function shortId(id: string): string {
  return beginning(id, 8);
}

/** Which items a page shows, of how many. */
export interface ShownPage {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** Where in a list this page is, and the way to the other ones, as HTML. `path` is the page's address. */
export function pager(path: string, noun: string, { offset, limit, total }: ShownPage): string {
  if (total === 0) return `<p class="soft">There are no ${noun}.</p>`;
  const at = (start: number) => `${path}${path.includes("?") ? "&" : "?"}offset=${String(start)}`;
  // An address may be older than the list is short.
  const last = Math.floor((total - 1) / limit) * limit;
  const items = offset < total ? `${String(offset + 1)} to ${String(Math.min(offset + limit, total))}` : "none here";
  const parts = [
    `<span>${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${items} of ${String(total)}</span>`,
    offset > 0 ? link(at(0), "first") : "",
    offset > 0 ? link(at(Math.min(last, Math.max(0, offset - limit))), "previous") : "",
    offset + limit < total ? link(at(offset + limit), "next") : "",
    offset < last ? link(at(last), "last") : "",
  ];
  return `<nav aria-label="Pages of ${noun}">${parts.join(" ")}</nav>`;
}
