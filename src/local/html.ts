/** How much of a name a page shows; it stands in headings, links and tables. */
const NAME_CHARACTERS = 120;
/** The same for a column. */
const HEADING_CHARACTERS = 40;

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

/** A foreign name as HTML, cut like `nameText`; a narrow column may break it where its words end. */
export function nameHtml(name: string, characters = NAME_CHARACTERS): string {
  return nameText(name, characters)
    .split(/(?<=[_/.:])/)
    .map(escapeHtml)
    .join("<wbr>");
}

/** A link; only web addresses become one, other text stays text. */
export function link(href: string, text: string, title = ""): string {
  // An address stays in one piece, so that it can be read and taken.
  const name = text === href ? escapeHtml(nameText(text)) : nameHtml(text);
  if (!/^(?:https?:\/\/|\/(?!\/))/.test(href)) return name;
  return `<a href="${escapeHtml(href)}"${title === "" ? "" : ` title="${escapeHtml(title)}"`}>${name}</a>`;
}

/** A column of a table: its heading as text, and whether it holds numbers. */
export type Column = string | { readonly number: string };

/** A table that scrolls by itself where it is wider than the page. The cells are HTML; `label` names it for screen readers. */
export function table(label: string, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  return scrolling(`<table aria-label="${escapeHtml(label)}">`, columns, rows, ' tabindex="0" role="region"');
}

/** A table whose rows lead to pages: the first cell of each is a link, and all of the row takes the click. */
export function linkTable(label: string, columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  return scrolling(`<table class="rows" aria-label="${escapeHtml(label)}">`, columns, rows);
}

function scrolling(open: string, columns: readonly Column[], rows: readonly (readonly string[])[], reach = ""): string {
  const kinds = columns.map((column) => (typeof column === "string" ? "" : ' class="n"'));
  const heads = columns.map((column, index) => {
    const heading = typeof column === "string" ? column : column.number;
    return `<th scope="col"${kinds[index] ?? ""}>${nameHtml(heading, HEADING_CHARACTERS)}</th>`;
  });
  const lines = rows.map(
    (cells) => `<tr>${cells.map((cell, index) => `<td${kinds[index] ?? ""}>${cell}</td>`).join("")}</tr>`,
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
