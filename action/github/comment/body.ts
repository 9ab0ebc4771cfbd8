import { ForeignText } from "../../../src/text/foreign-text.ts";
import { markdownTable } from "../../report/markdown.ts";
import { MarkdownPen } from "../../report/markdown-pen.ts";
import { fairSize, NOTE_CHARACTERS } from "./fitting.ts";
import {
  compareAge,
  fitSection,
  identityOf,
  readSections,
  SECTION_KINDS,
  SIGNS,
  writeSection,
  type Section,
} from "./section.ts";

const HEAD = "<!-- graph-deploy:comment:1 -->";
// GitHub refuses a body of more than 65,536 characters.
const MOST_CHARACTERS = 60_000;
const MOST_SECTIONS = 60;
// Digits of a count in the marker, and blank lines.
const SLACK_CHARACTERS = 20;

/** True for the body of a comment that this version writes and reads. */
export function isOurBody(body: string): boolean {
  return body === HEAD || /^<!-- graph-deploy:comment:1 -->\r?\n/.test(body);
}

/**
 * The body with these sections in it: at most 60,000 characters, the others as they are, the overview anew. A section is
 * never replaced by an older one of its name. Where there is not enough room, the longest lose their last lines.
 */
export function mergeSections(body: string | undefined, sections: readonly Section[]): string {
  const found = sectionsOf(body);
  const newest = new Map(found.map((section) => [identityOf(section), section]));
  for (const section of sections) {
    const there = newest.get(identityOf(section));
    if (there === undefined || compareAge(there, section) < 0) newest.set(identityOf(section), section);
  }
  const kept = [...newest.values()].toSorted((a, b) => compareAge(b, a) || compareNames(a, b)).slice(0, MOST_SECTIONS);
  for (;;) {
    const text = bodyOf(kept.toSorted(compareNames));
    if (text.length <= MOST_CHARACTERS || kept.length === 0) return text;
    kept.pop();
  }
}

/** The sections of a comment of ours; none for another comment. */
export function sectionsOf(body: string | undefined): readonly Section[] {
  return body === undefined || !isOurBody(body) ? [] : readSections(body.replaceAll(/\r\n?/g, "\n"));
}

/** The section of the same name in a comment; undefined where it has none. */
export function counterpartIn(body: string | undefined, section: Section): Section | undefined {
  const name = identityOf(section);
  // The same name twice is the work of a person: the newer one counts, as in the merge.
  return sectionsOf(body)
    .filter((other) => identityOf(other) === name)
    .toSorted(compareAge)
    .at(-1);
}

function bodyOf(sections: readonly Section[]): string {
  const frame = [HEAD, overview(sections)];
  // Whatever was left out before: the room must not depend on it.
  const fixed = [...frame, ...sections.map(({ facts }) => writeSection({ facts: { ...facts, left: 0 }, text: "" }))];
  const perSection = NOTE_CHARACTERS + SLACK_CHARACTERS;
  const room = MOST_CHARACTERS - sum(fixed.map(({ length }) => length)) - perSection * (sections.length + 1);
  // By their first sizes: what was cut once is not cut further by the next merge.
  const most = fairSize(
    sections.map(({ facts: { size } }) => size),
    room,
  );
  const parts = [...frame, ...sections.map((section) => writeSection(fitSection(section, most)))];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A table of the sections; empty for a single one, which says it all itself. */
function overview(sections: readonly Section[]): string {
  if (sections.length < 2) return "";
  const pen = new MarkdownPen(new ForeignText());
  const rows = sections.map(({ facts: { name, sign, state, page, commit, at } }) => [
    pen.text(name),
    `${SIGNS[sign]} ${pen.text(state)}`,
    page === undefined ? "" : pen.link(page),
    commit === undefined ? "" : pen.code(commit.slice(0, 7)),
    at.slice(0, 16).replace("T", " "),
  ]);
  const table = markdownTable(["", "State", "Page", "Commit", "Updated (UTC)"], rows);
  const isFull = sections.length === MOST_SECTIONS;
  return isFull ? `${table}\n\nThe newest ${String(MOST_SECTIONS)} sections are shown.` : table;
}

function compareNames(a: Section, b: Section): number {
  return placeOf(a) - placeOf(b) || (identityOf(a) < identityOf(b) ? -1 : 1);
}

function placeOf({ facts: { kind } }: Section): number {
  const place = SECTION_KINDS.findIndex((known) => known === kind);
  return place < 0 ? SECTION_KINDS.length : place;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
