import { ForeignText } from "../../../src/text/foreign-text.ts";
import { markdownTable } from "../../../front/account/markdown.ts";
import { MarkdownPen } from "../../../front/account/markdown-pen.ts";
import { fairSize, NOTE_CHARACTERS } from "./fitting.ts";
import {
  compareAge,
  compareRecency,
  fitSection,
  earlierIdentityOf,
  identityOf,
  newerOf,
  readSections,
  writeSection,
  type Section,
} from "./section.ts";
import { SECTION_KINDS, SIGNS } from "../../../front/account/brief.ts";

const HEAD = /^<!-- graph-deploy:comment:1(?: made-by=([\w.-]{1,80}) write=([\w.-]{1,80}))? -->$/;
// The first line has at most so many characters.
const HEAD_CHARACTERS = 220;
const COLUMNS = ["", "State", "Page", "Commit", "Updated (UTC)"];
const OVERVIEW_BEGIN = markdownTable(COLUMNS, []);
// GitHub refuses a body of more than 65,536 characters.
const MOST_CHARACTERS = 60_000;
/** A comment has at most so many sections. */
export const MOST_SECTIONS = 60;
const FULL_NOTE = `The newest ${String(MOST_SECTIONS)} sections are shown.`;
// Digits of a count in the marker, and blank lines.
const SLACK_CHARACTERS = 20;

/** Which step made a comment, and which write of which step its body is of; both are hidden in its first line. */
export interface Stamp {
  readonly maker: string;
  readonly write: string;
}

/** True for the body of a comment that this version writes and reads: our sections, their overview, and nothing else. */
export function isOurBody(body: string): boolean {
  return read(body) !== undefined;
}

export function stampOf(body: string): Stamp | undefined {
  const [, maker, write] = HEAD.exec(firstLine(body)) ?? [];
  return maker === undefined || write === undefined ? undefined : { maker, write };
}

export function stamped(body: string, { maker, write }: Stamp): string {
  return `<!-- graph-deploy:comment:1 made-by=${maker} write=${write} -->${body.slice(firstLine(body).length)}`;
}

/**
 * The body with these sections in it: at most 60,000 characters, the others as they are, the overview anew. A section is
 * never replaced by an older one of its name, and one without a service goes when one of a service is as new. Where there
 * is not enough room, the longest lose their last lines.
 */
export function mergeSections(body: string | undefined, sections: readonly Section[]): string {
  const isOurs = body !== undefined && isOurBody(body);
  const newest = new Map<string, Section>();
  for (const section of [...sectionsOf(body), ...sections]) {
    const there = newest.get(identityOf(section));
    newest.set(identityOf(section), there ? newerOf(there, section) : section);
  }
  for (const [name, plain] of [...newest]) if (isOvertaken(plain, [...newest.values()])) newest.delete(name);
  const kept = [...newest.values()]
    .toSorted((a, b) => compareRecency(b, a) || compareNames(a, b))
    .slice(0, MOST_SECTIONS);
  const head = isOurs ? firstLine(body) : "<!-- graph-deploy:comment:1 -->";
  for (;;) {
    const text = bodyOf(head, kept.toSorted(compareNames));
    if (text.length <= MOST_CHARACTERS || kept.length === 0) return text;
    kept.pop();
  }
}

/** True for a section without a service, where another one of its key is of a service and as new. */
export function isOvertaken(plain: Section, others: readonly Section[]): boolean {
  const name = identityOf(plain);
  return others.some((other) => earlierIdentityOf(other) === name && identityOf(newerOf(other, plain)) !== name);
}

/** The sections of a comment of ours; none for another comment. */
export function sectionsOf(body: string | undefined): readonly Section[] {
  return body === undefined ? [] : (read(body) ?? []);
}

function firstLine(body: string): string {
  return /^[^\r\n]*/.exec(body)?.[0] ?? "";
}

function read(body: string): readonly Section[] | undefined {
  const head = firstLine(body);
  if (!HEAD.test(head)) return undefined;
  const { sections, rest } = readSections(body.slice(head.length).replaceAll(/\r\n?/g, "\n"));
  const left = rest.trim();
  // A table, and the sentence below it.
  const isOverview =
    left === "" ||
    (sections.length > 0 &&
      left.startsWith(OVERVIEW_BEGIN) &&
      left.split("\n").every((line) => line === "" || line.startsWith("|") || line === FULL_NOTE));
  return isOverview ? sections : undefined;
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

function bodyOf(head: string, sections: readonly Section[]): string {
  const frame = [head, overview(sections)];
  // Whatever was left out before: the room must not depend on it.
  const fixed = [...frame, ...sections.map(({ facts }) => writeSection({ facts: { ...facts, left: 0 }, text: "" }))];
  const perSection = NOTE_CHARACTERS + SLACK_CHARACTERS;
  // The room must not depend on the first line either.
  const frameRoom = HEAD_CHARACTERS - head.length;
  const room = MOST_CHARACTERS - frameRoom - fixed.join("").length - perSection * (sections.length + 1);
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
  const table = markdownTable(COLUMNS, rows);
  return sections.length === MOST_SECTIONS ? `${table}\n\n${FULL_NOTE}` : table;
}

function compareNames(a: Section, b: Section): number {
  return placeOf(a) - placeOf(b) || (identityOf(a) < identityOf(b) ? -1 : 1);
}

function placeOf({ facts: { kind } }: Section): number {
  const place = SECTION_KINDS.findIndex((known) => known === kind);
  return place < 0 ? SECTION_KINDS.length : place;
}
