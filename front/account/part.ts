import { countOf, countText } from "../../src/text/number.ts";
import type { AnnotationFrame } from "../host.ts";
import type { Failure } from "./failure.ts";
import type { MarkdownPen } from "./markdown-pen.ts";

export type Account<Facts> = (facts: Facts, kind: RunKind, pen: MarkdownPen) => readonly Part[];

/** What every report must know of how a run ended. */
export interface RunFacts {
  readonly ended?: { readonly error: Error | undefined };
}

/** What kind of run it is, for those who report it. */
export interface RunKind {
  /** Nothing will be written or sent. */
  readonly dryRun?: boolean;
  /** The service is the local one. */
  readonly rehearsal?: boolean;
  /** Absolute path; directories in it are named relative to it. */
  readonly workspace?: string | undefined;
  /** The page of the workflow run. */
  readonly runUrl?: string | undefined;
}

/** Where a part of the account of a step stands: at the end of its log, in its job summary, in its section of a comment. */
export type Place = "comment" | "log" | "summary";

export type Part = Block & { readonly in: readonly Place[] };

/**
 * What a step says, apart from how it looks. Its texts are foreign, and the printers make them harmless; where it says
 * `written`, they are markdown of a pen, and a log leaves them out. What is empty leaves nothing behind.
 */
export type Block =
  /** A fact: a line of a log, a paragraph of a page. */
  | { readonly label: string; readonly text: string }
  | { readonly sentence: string }
  /** Why a run failed, and what to do next. `name` is what it was about. */
  | { readonly failure: Failure; readonly name?: string | undefined }
  /** Lines that are closed at first. */
  | { readonly group: string; readonly lines: readonly string[] }
  /** Lines that keep their indentation, for a reader to copy. */
  | { readonly copied: readonly string[] }
  | { readonly warnings: readonly string[] }
  | LogBlock
  | PageBlock;

/** What only a log shows. */
type LogBlock =
  /** Lines of which the first has the label. */
  | { readonly label: string; readonly lines: readonly string[] }
  /** Items that share lines of a readable length. */
  | { readonly label: string; readonly items: readonly string[] }
  /** Below each other, their second halves aligned. */
  | { readonly pairs: readonly (readonly [string, string])[] }
  /** How a wait stands, by the time since it began. */
  | { readonly at: number; readonly text: string }
  | { readonly error: string; readonly frame: AnnotationFrame }
  | { readonly warning: string; readonly frame?: AnnotationFrame }
  /** What is good to know. */
  | { readonly notice: string }
  | { readonly debugging: string };

/** What only a page shows; all of it is written. */
type PageBlock =
  /** Above everything: what the run has come to. */
  | { readonly heading: string }
  | { readonly written: string }
  /** Items with dots between them. */
  | { readonly dotted: readonly string[] }
  | { readonly list: readonly string[] }
  /** `rest` names the rows that a long table folds up. */
  | { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[]; readonly rest: string }
  /** Closed at first. */
  | { readonly details: string; readonly body: readonly Block[] };

type Given = readonly (Block | undefined)[];

export function partsIn(places: readonly Place[], blocks: Given): readonly Part[] {
  return blocks.flatMap((block) => (block ? [{ ...block, in: places }] : []));
}

export const everywhere = (...blocks: Given): readonly Part[] => partsIn(["log", "summary", "comment"], blocks);
export const inLog = (...blocks: Given): readonly Part[] => partsIn(["log"], blocks);
export const inSummary = (...blocks: Given): readonly Part[] => partsIn(["summary"], blocks);
export const inComment = (...blocks: Given): readonly Part[] => partsIn(["comment"], blocks);
export const onPages = (...blocks: Given): readonly Part[] => partsIn(["summary", "comment"], blocks);

const MOST_IN_GROUP = 1_000;

/** All of a long list, closed at first, below its title and its count; of more than are worth reading the first. */
export function longGroup(title: string, texts: readonly string[]): Block {
  return { group: `${title} (${countText(texts.length)})`, lines: firstOf(texts, MOST_IN_GROUP) };
}

/** So many of a list, and the count of the others: `and 3 more`, `and 3 more scores`. */
export function firstOf(texts: readonly string[], most: number, noun = ""): readonly string[] {
  const rest = texts.length - most;
  if (rest <= 0) return texts;
  return [...texts.slice(0, most), `and ${noun === "" ? `${countText(rest)} more` : countOf(rest, `more ${noun}`)}`];
}
