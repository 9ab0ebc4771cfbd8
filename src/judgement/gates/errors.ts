import * as z from "zod";
import { anyText, checkCall, type ShapesOf } from "../../contract/call-arguments.ts";
import { GraphDeployError } from "../../contract/graph-deploy-error.ts";
import { cut } from "../../text/foreign-text.ts";
import { withFullStop } from "../../text/reasons.ts";

/** One thing that is wrong with the gates. */
export interface GateFault {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The line as it was written; empty where the gates as a whole are wrong. */
  readonly text: string;
  /** Which part of the line: from 0, and how many characters. */
  readonly at: number;
  /** How many characters of it. */
  readonly length: number;
  /** A clause that follows the line: `names no metric or counter`. */
  readonly message: string;
  /** What would be right, without a full stop; undefined if that is open. */
  readonly hint: string | undefined;
}

const number = z.int("must be a whole number");
const faultShape = z.looseObject(
  {
    line: number,
    text: anyText,
    at: number,
    length: number,
    message: anyText,
    hint: anyText.optional(),
  } satisfies ShapesOf<GateFault>,
  "must be one of the faults of a GatesError",
);

/** The gates cannot be read, or name what the results do not have. Holds all faults. */
export class GatesError extends GraphDeployError {
  readonly code = "GATES";
  readonly faults: readonly GateFault[];

  constructor(faults: readonly GateFault[]) {
    super(withFullStop(headlineOf(faults)));
    this.faults = faults;
  }
}

function headlineOf(faults: readonly GateFault[]): string {
  const [first] = faults;
  if (!first) return "The gates are invalid";
  const { line, hint } = first;
  const said = hint === undefined ? "" : `; ${hint}`;
  if (isWhole(first)) return `${clauseOf(first)}${said}`;
  const where =
    faults.length === 1
      ? `Line ${String(line)} of the gates is invalid`
      : `The gates have ${String(faults.length)} errors, the first in line ${String(line)}`;
  return `${where}: ${clauseOf(first)}${said}`;
}

function isWhole({ text }: GateFault): boolean {
  return text === "";
}

function clauseOf(fault: GateFault): string {
  return isWhole(fault) ? `The gates ${fault.message}` : `\`${cut(fault.text.trim(), LONGEST)}\` ${fault.message}`;
}

const LONGEST = 120;

/** A fault as a terminal shows it: the line, a caret below the part that is wrong, and the hint. */
export function faultText(fault: GateFault): string {
  checkCall("faultText", { fault: [faultShape, fault] });
  const { line, text, at, length, message, hint } = fault;
  if (isWhole(fault)) return clauseOf(fault);
  const label = `gates line ${String(line)}: \``;
  // A long line is cut around the part that is wrong, which always shows.
  const start = Math.max(0, Math.min(at, at + Math.min(length, LONGEST) - LONGEST));
  const shown = `${start > 0 ? "…" : ""}${text.slice(start, start + LONGEST)}${text.length > start + LONGEST ? "…" : ""}`;
  const indent = " ".repeat(label.length + at - start + (start > 0 ? 1 : 0));
  const carets = "^".repeat(Math.max(1, Math.min(length, LONGEST)));
  return `${label}${shown}\` ${message}\n${indent}${carets}${hint === undefined ? "" : `  ${hint}`}`;
}
