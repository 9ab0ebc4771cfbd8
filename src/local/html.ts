import { PAGE_STYLE } from "./page-style.ts";

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

/** What a page has beside its title and body. */
export interface PageSettings {
  /** Something is under way: the page loads itself again. */
  readonly refresh?: boolean;
  readonly wide?: boolean;
  /** HTML: the links to the pages above this one, from the top down. */
  readonly trail?: readonly string[];
}

/** A whole page; `body` is HTML, the title is text. */
export function page(title: string, body: string, { refresh = false, wide = false, trail = [] }: PageSettings = {}) {
  const name = escapeHtml(nameText(title));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${refresh ? '<meta http-equiv="refresh" content="2">\n' : ""}<title>${name}</title>
<style>${PAGE_STYLE}</style>
${wide ? '<body class="wide">\n' : ""}${trail.length === 0 ? "" : `<nav class="trail">${trail.join("<span>/</span>")}</nav>\n`}<h1>${name}</h1>
${body}
</html>
`;
}

/** A table; the cells are HTML, the headings are text. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th>${escapeHtml(nameText(heading, HEADING_CHARACTERS))}</th>`).join("");
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  const top = headings.every((heading) => heading === "") ? "" : `<tr>${head}</tr>\n`;
  return `<div class="scroll"><table>\n${top}${lines.join("\n")}\n</table></div>`;
}

/** A link; only web addresses become one, other text stays text. */
export function link(href: string, text: string): string {
  const name = escapeHtml(nameText(text));
  if (!/^(?:https?:\/\/|\/(?!\/))/.test(href)) return name;
  return `<a href="${escapeHtml(href)}">${name}</a>`;
}
