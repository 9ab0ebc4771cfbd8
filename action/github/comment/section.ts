import { createHash } from "node:crypto";
import * as z from "zod";
import { cut } from "../../../src/text/foreign-text.ts";
import type { RunBrief, SectionKind } from "../../../front/account/brief.ts";
import { fitLines, leftOutNote } from "./fitting.ts";

const LONGEST_TEXT = 100;
const LONGEST_ADDRESS = 500;

const Run = z.string().regex(/^(0|[1-9]\d{0,18})$/);
/** When a section that says "removed" was written, and by which run. */
const Removal = z.object({ at: z.iso.datetime(), run: Run, attempt: z.int().nonnegative() });
type Removal = z.infer<typeof Removal>;

// A newer version may write more fields and other kinds: they stay as they are.
const Facts = z.looseObject({
  kind: z.string().min(1).max(LONGEST_TEXT),
  key: z.string().min(1).max(LONGEST_TEXT),
  /** Of deployments of one name in several services. */
  service: z.string().max(LONGEST_TEXT).optional().catch(undefined),
  run: Run,
  attempt: z.int().nonnegative(),
  at: z.iso.datetime(),
  name: z.string().max(LONGEST_TEXT),
  sign: z.enum(["good", "warning", "bad", "gone", "neutral"]).catch("neutral"),
  state: z.string().max(LONGEST_TEXT),
  page: z.string().max(LONGEST_ADDRESS).optional().catch(undefined),
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .optional()
    .catch(undefined),
  /** How long the text is as it was written. */
  size: z.int().nonnegative(),
  /** How many of its lines are left out. */
  left: z.int().nonnegative(),
  /** The removal that it follows. */
  after: Removal.optional().catch(undefined),
});

/** What the marker of a section says: whose it is, which run wrote it, and what the overview shows. Texts are foreign. */
export interface SectionFacts extends Omit<RunBrief, "text"> {
  readonly kind: SectionKind;
  /** With the kind, what distinguishes it from the other sections of the comment. */
  readonly key: string;
  /** What distinguishes it from one of the same key in another service. */
  readonly service?: string | undefined;
  /** The id of the workflow run, in digits. */
  readonly run: string;
  /** From 1. */
  readonly attempt: number;
  /** When it was written, UTC. */
  readonly at: Date;
  /** In hex digits. */
  readonly commit?: string | undefined;
}

/** The part of a comment that one step writes. */
export interface Section {
  readonly facts: z.infer<typeof Facts>;
  /** Markdown without `<!--`. */
  readonly text: string;
}

/** A section with its text, which is markdown in which nothing is foreign any more. */
export function makeSection({ at, page, ...facts }: SectionFacts, text: string): Section {
  // What is open would take in the sections below it.
  const whole = fitLines(withoutMarkers(text.replaceAll(/\r\n?/g, "\n").trim()), Infinity).text.trim();
  return {
    // As it will be read: the fields of a marker always have the same order.
    facts: Facts.parse({
      ...facts,
      key: keyOf(facts.key),
      name: cut(facts.name, LONGEST_TEXT),
      state: cut(facts.state, LONGEST_TEXT),
      page,
      at: at.toISOString(),
      size: whole.length,
      left: 0,
    }),
    text: whole,
  };
}

/** Long keys that begin alike stay two. */
function keyOf(key: string): string {
  if (key.length <= LONGEST_TEXT) return key || "default";
  const end = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return `${cut(key, LONGEST_TEXT - 1 - end.length)} ${end}`;
}

/** Two sections of this name are the same part of the comment. */
export function identityOf({ facts: { kind, key, service } }: Section): string {
  return JSON.stringify(service === undefined ? [kind, key] : [kind, key, service]);
}

/** The name that an earlier version gave to a section, which did not write the service: a later one of a service takes it over. */
export function earlierIdentityOf({ facts: { kind, key, service } }: Section): string | undefined {
  return service === undefined ? undefined : JSON.stringify([kind, key]);
}

/** The section by the name that an earlier version gave it, or a step that has a key of its own. */
export function withoutService({ facts: { service: _, ...facts }, text }: Section): Section {
  return { facts: Facts.parse(facts), text };
}

/**
 * Which of two sections of a name replaces the other: below 0 where the first is of an earlier run or attempt, or written
 * earlier. What follows a removal replaces it, and that replaces all that it was about. The order is total, so that no
 * two can replace each other in turn.
 */
export function compareAge(a: Section, b: Section): number {
  const removal = timeOf(removalOf(a)) - timeOf(removalOf(b));
  if (removal !== 0) return removal;
  if (isGone(a) !== isGone(b)) return isGone(a) ? -1 : 1;
  return compareRecency(a, b);
}

/** Below 0 where the first is of an earlier run or attempt, or written earlier. */
export function compareRecency(a: Section, b: Section): number {
  return compareRuns(a.facts, b.facts) || Date.parse(a.facts.at) - Date.parse(b.facts.at);
}

/**
 * The one of two sections of a name that is shown. A removal yields to whatever is written later, also by an earlier run,
 * and to a later run; this is kept in what takes its place.
 */
export function newerOf(there: Section, section: Section): Section {
  const [one, other] = [following(there, section), following(section, there)];
  return compareAge(one, other) < 0 ? other : one;
}

/** The section, as one that follows the removal of the other where it does. */
function following(section: Section, other: Section): Section {
  const removal = removalOf(other);
  if (isGone(section) || !removal) return section;
  const isLater = Date.parse(section.facts.at) > Date.parse(removal.at) || compareRuns(section.facts, removal) > 0;
  if (!isLater || timeOf(removalOf(section)) >= timeOf(removal)) return section;
  return { ...section, facts: { ...section.facts, after: removal } };
}

function removalOf(section: Section): Removal | undefined {
  const { at, run, attempt, after } = section.facts;
  return isGone(section) ? { at, run, attempt } : after;
}

function timeOf(removal: Removal | undefined): number {
  return removal ? Date.parse(removal.at) : 0;
}

function isGone({ facts: { sign } }: Section): boolean {
  return sign === "gone";
}

function compareRuns(a: Pick<Removal, "attempt" | "run">, b: Pick<Removal, "attempt" | "run">): number {
  const runs = BigInt(a.run) - BigInt(b.run);
  return runs === 0n ? a.attempt - b.attempt : runs < 0n ? -1 : 1;
}

/** The section with at most so many characters of text, whole lines. */
export function fitSection(section: Section, most: number): Section {
  if (section.text.length <= most) return section;
  const { text, left } = fitLines(section.text, most);
  return { text, facts: { ...section.facts, left: section.facts.left + left } };
}

const BEGIN = "<!-- graph-deploy:section:1 ";
const END = "<!-- graph-deploy:end -->";

export function writeSection({ facts, text }: Section): string {
  // Without these signs nothing in it can end the marker, and no name in it is a mention.
  const json = JSON.stringify(facts).replace(/[<>&@]|[^ -~]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  const parts = [`${BEGIN}${json} -->`, text, leftOutNote(facts.left), END];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** What a text with line feeds only has: its sections, and what stands before and between them. */
export function readSections(text: string): { readonly sections: readonly Section[]; readonly rest: string } {
  const sections: Section[] = [];
  const rest: string[] = [];
  let [facts, lines]: [Section["facts"] | undefined, string[]] = [undefined, []];
  const end = (): void => {
    if (!facts) return;
    const body = withoutMarkers(lines.join("\n").trim());
    const note = leftOutNote(facts.left);
    const isNoted = note !== "" && body.endsWith(note);
    const shown = isNoted ? body.slice(0, -note.length).trim() : body;
    // What a person has added takes room, too.
    sections.push({ facts: { ...facts, size: Math.max(facts.size, shown.length) }, text: shown });
    facts = undefined;
  };
  for (const line of text.split("\n")) {
    const begun = line.startsWith(BEGIN) ? factsIn(line) : undefined;
    const isOpen = facts !== undefined;
    // The end is missing where a person edited the comment.
    if (begun || line === END) end();
    if (begun) [facts, lines] = [begun, []];
    else if (isOpen) lines.push(line);
    else rest.push(line);
  }
  end();
  return { sections, rest: rest.join("\n") };
}

function factsIn(line: string): Section["facts"] | undefined {
  const [, json] = /^<!-- graph-deploy:section:1 (\{.*\}) -->$/.exec(line) ?? [];
  if (json === undefined) return undefined;
  try {
    return Facts.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

function withoutMarkers(text: string): string {
  return text.replaceAll("<!--", "&lt;!--");
}
