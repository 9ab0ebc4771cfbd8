// What begins a construct of GitHub's markdown or of HTML wherever it stands in a line.
const NAMED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
// Mentions and references are found in the rendered text, after entities and escapes are gone: only a character
// between the sign and the name keeps them apart.
const NOTHING = "&#8203;";

const ESCAPES: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/[&<>]/, (found) => NAMED[found] ?? ""],
  // A table takes `\|` apart before anything else is read, and dollars mark mathematics.
  [/[|\\$]/, entity],
  // Mentions, issues, pull requests.
  [/@|#(?=[0-9])|gh-(?=[0-9])/, (found) => `${found}${NOTHING}`],
  // Addresses that would become links.
  [/:(?=\/\/)|(?<=www)\./, entity],
  // Code, emphasis, strikethrough, links. An underscore within a word is only an underscore.
  [/[`*~[\]]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/, (found) => `\\${found}`],
  // Lists and headings, where the text begins a line, and the closing signs of a heading.
  [/^[-+=#]|#(?=#*$)|(?<=^[0-9]+)[.)]/, (found) => `\\${found}`],
];
// One pass, so that nothing is escaped twice.
const SPECIAL = new RegExp(ESCAPES.map(([{ source }]) => `(${source})`).join("|"), "gi");

/** Text that is shown as it is within a paragraph, a heading or a cell of a table: one line, no markup, no links. */
export function markdownText(text: string): string {
  return text.replace(SPECIAL, (found: string, ...groups: readonly unknown[]) => {
    const escape = ESCAPES[groups.findIndex((group) => group !== undefined)]?.[1];
    return escape ? escape(found) : found;
  });
}

/**
 * A sentence of ours, whose parts in backticks become code. What stands in it from outside is as harmless as with
 * `markdownText`.
 */
export function markdownSentence(text: string): string {
  return text
    .split("`")
    .map((part, index, parts) => {
      // The last backtick of an odd number opens nothing.
      if (index % 2 === 0) return markdownText(part);
      return index === parts.length - 1 ? `\\\`${markdownText(part)}` : codeSpan(part);
    })
    .join("");
}

/** Text as code, which also keeps GitHub from finding names and numbers to link in it. */
export function codeSpan(text: string): string {
  if (text.trim() === "") return "";
  if (!/[`<>&|\\]/.test(text)) return `\`${text}\``;
  // Within backticks there are no escapes, and a `|` would end the cell of a table.
  const escaped = text.replace(/[^\p{L}\p{N} -]/gu, (character) => entity(character));
  return `<code>${escaped.replaceAll(entity("@"), `${entity("@")}${NOTHING}`)}</code>`;
}

/** A link to an address of the web; any other address, or one with a password, is only shown. */
export function webLink(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    return codeSpan(address);
  }
  const shown = url.href === `${url.origin}/` ? url.origin : url.href;
  const encoded = shown.replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character));
  // Some readers of markdown decode entities in such a link and some do not: none is left to decode.
  return `<${encoded.replace(/(&#?\w+);/g, "$1%3B")}>`;
}

/** A table of cells that are markdown already; rows may be shorter than the head. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${head.map((_, index) => cells[index] ?? "").join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** A part that is closed at first. The title is plain text, the body is markdown. */
export function markdownDetails(title: string, body: string): string {
  // Markdown is read again only after a blank line.
  return `<details><summary>${htmlText(title)}</summary>\n\n${body}\n\n</details>`;
}

/** Lines as they are, in a block of their own. */
export function preformatted(lines: readonly string[]): string {
  return `<pre>\n${lines.map(htmlText).join("\n")}\n</pre>`;
}

/** Text for HTML, also for the value of an attribute. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => NAMED[character] ?? "").replaceAll("'", "&#39;");
}

function entity(character: string): string {
  return `&#${String(character.codePointAt(0) ?? 0)};`;
}
