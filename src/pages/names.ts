import { cut } from "../text/foreign-text.ts";
import { markup, type Content, type Markup } from "./markup.ts";

// The longest name in headings, links and tables.
const NAME_CHARACTERS = 120;
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

/** A foreign name, cut like `nameText`. A narrow column may break it after marks and within long words. */
export function breakableName(name: string, characters = NAME_CHARACTERS): Markup {
  const [first = "", ...rest] = nameText(name, characters).split(NAME_BREAKS);
  return markup`${first}${rest.map((part) => markup`<wbr>${part}`)}`;
}

/** The first characters of an id, for a table. */
export function shortId(id: string): string {
  return beginning(id, 8);
}

/** A link. Only web addresses and paths become links; other text stays text. */
export function link(href: string, text: string, title = ""): Content {
  // An address stays in one piece, so that it can be read and copied.
  const name = text === href ? nameText(text) : breakableName(text);
  if (!/^(?:https?:\/\/|\/(?!\/))/.test(href)) return name;
  return markup`<a href="${href}"${title !== "" && markup` title="${title}"`}>${name}</a>`;
}

/** How a word is coloured; the colour only repeats it. */
export type Tone = "bad" | "busy" | "good" | "neutral" | "warn";

/** A status in one word, or in two. */
export interface Badge {
  readonly text: string;
  readonly tone: Tone;
}

export function badge(tone: Tone, text: string): Markup {
  return markup`<span class="badge ${tone}">${text}</span>`;
}

/** All that is said of one thing. */
export function badgeList(badges: readonly Badge[]): readonly Markup[] {
  return badges.map(({ text, tone }) => markup`${badge(tone, text)} `);
}
