import { ForeignText } from "../../src/text/foreign-text.ts";
import { codeSpan, htmlText, markdownText, preformatted, webLink } from "../../front/account/markdown.ts";

const MOST_LINES = 5_000;
const MOST_IN_LINE = 4_000;
const MOST_DEPTH = 5;

export interface LinkPolicy {
  /** The web address of GitHub, such as `https://github.com`. */
  readonly server: string;
  /** `owner/name` */
  readonly repository: string;
}

/**
 * Markdown that a stranger may have written, made harmless: headings, lists, tables, folded parts, code, bold and italic
 * text stay; all other markup, HTML, images, mentions and references become plain text. A link shows where it leads, and
 * leads to no page of GitHub but a workflow run of this repository: other links would leave traces there.
 */
export function defuseMarkdown(text: string, policy: LinkPolicy): string {
  const all = new ForeignText().lines(text, MOST_IN_LINE);
  const writer = new Writer(policy);
  for (const line of all.slice(0, MOST_LINES)) writer.add(line);
  return writer.end();
}

/** Takes lines one by one; what a line may be depends only on what is open. */
class Writer {
  readonly #policy: LinkPolicy;
  readonly #lines: string[] = [];
  #code: { readonly end: RegExp; readonly lines: string[] } | undefined;
  #details = 0;
  #waitsForSummary = false;

  constructor(policy: LinkPolicy) {
    this.#policy = policy;
  }

  add(line: string): void {
    if (this.#code) {
      if (this.#code.end.test(line)) this.#endCode();
      else this.#code.lines.push(line);
      return;
    }
    if (/^\s*<!--[^]*-->\s*$/.test(line)) return;
    const [, fence] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) this.#code = { end: new RegExp(`^ {0,3}${fence}+\\s*$`), lines: [] };
    else if (line.trim() === "<pre>") this.#code = { end: /^\s*<\/pre>\s*$/, lines: [] };
    else if (!this.#addDetails(line.trim())) this.#push(this.#block(line));
  }

  end(): string {
    if (this.#code) this.#endCode();
    while (this.#details > 0) this.#closeDetails();
    // Their second half, which makes them colourful, is invisible by itself and was left out.
    return this.#lines
      .join("\n")
      .trim()
      .replaceAll(/[⚠ℹ🗑]/gu, (sign) => `${sign}\u{fe0f}`);
  }

  #endCode(): void {
    // `-->` and the like end nothing here: what is in it is text of HTML.
    this.#lines.push(preformatted((this.#code?.lines ?? []).map((line) => decoded(line))));
    this.#code = undefined;
  }

  #addDetails(line: string): boolean {
    const [, title] = /^(?:<details>\s*)?<summary>(.*?)<\/summary>$/.exec(line) ?? [];
    if (line === "<details>" && this.#details < MOST_DEPTH) this.#waitsForSummary = true;
    else if (title !== undefined && (this.#waitsForSummary || line.startsWith("<details>"))) {
      if (this.#details >= MOST_DEPTH) return false;
      this.#waitsForSummary = false;
      this.#details += 1;
      // Mentions are found between tags, too.
      const shown = htmlText(decoded(title).trim()).replaceAll(/@|#(?=[0-9])(?!39;)/g, (sign) => `${sign}&#8203;`);
      this.#lines.push(`<details><summary>${shown}</summary>`, "");
    } else if (line === "</details>") {
      // One that closes nothing is left out.
      if (this.#details > 0) this.#closeDetails();
    } else return false;
    return true;
  }

  #closeDetails(): void {
    this.#details -= 1;
    this.#push("");
    this.#lines.push("</details>");
  }

  /** One blank line is enough. */
  #push(line: string): void {
    if (line !== "" || this.#lines.at(-1) !== "") this.#lines.push(line);
  }

  #block(line: string): string {
    const [, indent = "", mark = "", rest = ""] = /^( *)((?:#{1,6}|[-*+]|\d{1,9}[.)]) +)?(.*)$/.exec(line) ?? [];
    if (mark !== "") return `${" ".repeat(Math.min(indent.length, 6))}${mark}${inline(rest, this.#policy)}`;
    const row = line.trim();
    if (/^\|(?:\s*:?-+:?\s*\|)+$/.test(row)) return row.replaceAll(" ", "");
    if (row.startsWith("|") && row.endsWith("|") && row.length > 1) {
      const cells = row.slice(1, -1).split(/(?<!\\)\|/);
      return `| ${cells.map((cell) => inline(cell.trim(), this.#policy)).join(" | ")} |`;
    }
    return inline(row, this.#policy);
  }
}

type Render = (found: RegExpExecArray, policy: LinkPolicy) => string;

// Each matches at one place of a line only; what none of them matches is text.
const SPANS: readonly (readonly [RegExp, Render])[] = [
  [/(`+)(?!`)(.+?)(?<!`)\1(?!`)/y, ([, , code = ""]) => codeSpan(code.trim())],
  [/<code>(.*?)<\/code>/y, ([, code = ""]) => codeSpan(decoded(code))],
  [/<(https?:\/\/[^\s<>]{1,2000})>/iy, ([, address = ""], policy) => link(address, policy)],
  [
    /!?\[([^[\]]{0,500})\]\(\s*<?([^\s<>()]{1,2000})>?[^()]{0,200}\)/y,
    ([whole, label = "", address = ""], policy) => {
      const shown = markdownText(decoded(label));
      // An image would be loaded by each reader: its address is only shown.
      const target = whole.startsWith("!") ? codeSpan(decoded(address)) : link(decoded(address), policy);
      return shown === "" ? target : `${shown} (${target})`;
    },
  ],
  [/https?:\/\/[^\s<>()[\]|*`]{1,2000}/iy, ([address = ""], policy) => link(address, policy)],
  [/\*\*(?=\S)([^*]+)(?<=\S)\*\*/y, ([, text = ""], policy) => `**${inline(text, policy)}**`],
  [/(?<![A-Za-z0-9_])_(?=\S)([^_]+)(?<=\S)_(?![A-Za-z0-9_])/y, ([, text = ""], policy) => `_${inline(text, policy)}_`],
  [/<br ?\/?>/iy, () => "<br>"],
];

/** One line of markdown. What is text in it is decoded first, so that an entity or an escape hides nothing. */
function inline(text: string, policy: LinkPolicy): string {
  const parts: string[] = [];
  let plain = "";
  const flush = (): void => {
    if (plain !== "") parts.push(markdownText(new ForeignText().line(` ${plain} `, MOST_IN_LINE)), "");
    plain = "";
  };
  for (let at = 0; at < text.length;) {
    const span = spanAt(text, at, policy);
    if (!span) {
      const unit = unitAt(text, at);
      plain += unit.text;
      at += unit.length;
      continue;
    }
    const [before, after] = [/\s$/.test(plain), /^\s/.test(text.slice(at + span.length))];
    flush();
    parts.push(`${before ? " " : ""}${span.text}${after ? " " : ""}`);
    at += span.length;
  }
  flush();
  return parts.join("");
}

function spanAt(
  text: string,
  at: number,
  policy: LinkPolicy,
): { readonly text: string; readonly length: number } | undefined {
  if (!/[`<![h*_]/i.test(text.charAt(at))) return undefined;
  for (const [pattern, render] of SPANS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) return { text: render(found, policy), length: found[0].length };
  }
  return undefined;
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

/** The next character as a reader sees it: an escape or an entity is one. */
function unitAt(text: string, at: number): { readonly text: string; readonly length: number } {
  const escape = /\\([!-/:-@[-`{-~])/y;
  const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/y;
  escape.lastIndex = at;
  entity.lastIndex = at;
  const [escaped, character] = escape.exec(text) ?? [];
  if (escaped !== undefined && character !== undefined) return { text: character, length: escaped.length };
  const [whole, decimal, hex, name] = entity.exec(text) ?? [];
  if (whole === undefined) return { text: text.charAt(at), length: 1 };
  if (name !== undefined) return { text: NAMED.get(name) ?? whole, length: whole.length };
  const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return { text: point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "", length: whole.length };
}

function decoded(text: string): string {
  let all = "";
  for (let at = 0; at < text.length;) {
    const unit = text.charAt(at) === "\\" ? { text: "\\", length: 1 } : unitAt(text, at);
    all += unit.text;
    at += unit.length;
  }
  return new ForeignText().lines(all, MOST_IN_LINE).join(" ");
}

function link(address: string, { server, repository }: LinkPolicy): string {
  const url = URL.parse(address);
  const host = URL.parse(server)?.hostname ?? "github.com";
  if (url === null) return codeSpan(address);
  const isGitHubs = [host, "github.com"].some((name) => url.hostname === name || url.hostname.endsWith(`.${name}`));
  const isRun = url.href.startsWith(`${server}/${repository}/actions/runs/`) && !/[?#]|\.\./.test(url.href);
  return isGitHubs && !isRun ? codeSpan(address) : webLink(address);
}
