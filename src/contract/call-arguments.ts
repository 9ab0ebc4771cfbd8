import type * as z from "zod";
import { quoted, shortened } from "../text/quoted.ts";
import { GIVEN_AS_UNDEFINED } from "./argument-shapes.ts";
import { GraphDeployError } from "./graph-deploy-error.ts";

const MOST_FAULTS = 20;

/** A function of the library was called with arguments that cannot be used; nothing was sent. */
export class ArgumentsError extends GraphDeployError {
  readonly code = "ARGUMENTS";
  /** Each names an argument and says what is wrong with it, without its value and without a full stop. */
  readonly faults: readonly string[];

  constructor(called: string, faults: readonly string[]) {
    const shown = faults.slice(0, MOST_FAULTS).map((fault) => shortened(fault, 1_000));
    const rest = faults.length - shown.length;
    super(`${called}: ${shown.join("; ")}${rest > 0 ? `; and ${String(rest)} more` : ""}.`, {
      advice: "Correct the arguments; nothing was sent.",
    });
    this.faults = faults;
  }
}

// For a shape that has no words of its own.
const WORDS: Readonly<Record<string, string>> = {
  array: "must be a list",
  boolean: "must be true or false",
  number: "must be a number",
  object: "must be an object",
  record: "must be an object",
  string: "must be a text",
};
/** Reads by a shape, with words for what has none of its own. */
export const READING: z.core.ParseContext<z.core.$ZodIssue> = {
  reportInput: true,
  error: (issue) => (issue.code === "invalid_type" ? WORDS[issue.expected] : undefined) ?? "cannot be used",
};

export interface ArgumentReading<Value> {
  /** What is right of it, for the checks that follow; undefined where nothing can be made of it. */
  readonly value: Value | undefined;
  /** The names of the fields that are wrong. */
  readonly wrong: ReadonlySet<string>;
  readonly faults: readonly string[];
}

/** Checks an argument that is an object; `name` is what it is called where it is something else. */
export function readArgument<Value>(schema: z.ZodType<Value>, given: unknown, name: string): ArgumentReading<Value> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return { value: undefined, wrong: new Set(), faults: [`${name} must be an object`] };
  }
  const parsed = schema.safeParse(given, READING);
  if (parsed.success) return { value: parsed.data, wrong: new Set(), faults: [] };
  const { issues } = parsed.error;
  const wrong = new Set(issues.flatMap(fieldsOf));
  const right = schema.safeParse(Object.fromEntries(Object.entries(given).filter(([field]) => !wrong.has(field))));
  return { value: right.data, wrong, faults: [...new Set(issues.flatMap(faultsOf))] };
}

/** The same, for a call that has nothing else to check. Throws ArgumentsError. */
export function checkedArgument<Value>(called: string, schema: z.ZodType<Value>, given: unknown, name: string): Value {
  const { value, faults } = readArgument(schema, given, name);
  if (value === undefined || faults.length > 0) throw new ArgumentsError(called, faults);
  return value;
}

/** Both arguments of a call, each an object with its shape. Throws ArgumentsError with what is wrong with the two. */
export function checkedBoth<First, Second>(
  called: string,
  first: readonly [shape: z.ZodType<First>, given: unknown],
  second: readonly [shape: z.ZodType<Second>, given: unknown],
): readonly [First, Second] {
  const [one, other] = [readArgument(...first, "the first argument"), readArgument(...second, "the second argument")];
  const faults = [...one.faults, ...other.faults];
  if (one.value === undefined || other.value === undefined || faults.length > 0)
    throw new ArgumentsError(called, faults);
  return [one.value, other.value];
}

/** The arguments of a call by their names, each with its shape. */
export type NamedArguments = Readonly<Record<string, readonly [shape: z.ZodType, given: unknown]>>;

/** Checks the arguments of a call that has several, for callers without types. Throws ArgumentsError with what is wrong with all. */
export function checkCall(called: string, given: NamedArguments): void {
  const faults = Object.entries(given).flatMap(([name, [shape, value]]) => {
    const { error } = shape.safeParse(value, READING);
    return (error?.issues ?? []).flatMap((issue) => {
      // An option is known by its own name, as where it is the only argument.
      const path = name === "options" && issue.path.length > 0 ? issue.path : [name, ...issue.path];
      return faultsOf({ ...issue, path });
    });
  });
  if (faults.length > 0) throw new ArgumentsError(called, [...new Set(faults)]);
}

function fieldsOf(issue: z.core.$ZodIssue): readonly string[] {
  const [field] = issue.path;
  if (field !== undefined) return [String(field)];
  return issue.code === "unrecognized_keys" ? issue.keys : [];
}

function faultsOf(issue: z.core.$ZodIssue): readonly string[] {
  const place = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${quoted(place === "" ? key : `${place}.${key}`)} is not a known option`);
  }
  if (place === "") return [issue.message];
  const isMissing = issue.input === undefined && issue.message !== GIVEN_AS_UNDEFINED;
  return [`\`${place}\` ${isMissing ? "is missing" : issue.message}`];
}
