import * as z from "zod";
import { quoted, shortened } from "../text/quoted.ts";
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

// The shapes of what programs pass, each with the words that follow the name of the argument in an error.

/** One shape for each field of an interface: a field that only one of the two has does not compile. */
export type ShapesOf<Fields> = Readonly<Record<keyof Fields, z.ZodType>>;

/** A text that says something. */
export const someText = z
  .string("must be a text")
  .refine((text) => text.trim() !== "", { error: "is empty", abort: true });
/** A path, which may hold everything but NUL. */
export const somePath = someText.refine((path) => !path.includes("\0"), "contains a NUL character");
/** Any text. */
export const anyText = z.string("must be a text");
/** True or false. */
export const flag = z.boolean("must be true or false");
/** A list of texts. */
export const texts = z.array(anyText, "must be a list of texts");
/** Texts by their names. */
export const textsByName = z.record(z.string(), anyText, "must be an object of names and texts");
/** A whole number from 1 on. */
export const count = z.int("must be a whole number").min(1, "must be 1 or more");
/** A span of time. A timer of Node overflows after 24.8 days, and no wait takes a week. */
export const milliseconds = z
  .number("must be a number of milliseconds")
  .min(1, "must be 1 or more")
  .max(604_800_000, "must be a week or less");

/** What is wrong with an argument that is there and has no value. */
const GIVEN_AS_UNDEFINED =
  "is undefined: the variable or result that it hands on was probably not set; leave it out where there is none";

/**
 * An argument that may be left out, but not be `undefined`: without it the call would do something else, such as deploy
 * instead of rolling back, and a variable that is not set must not be taken for an argument that is left out.
 */
export function orLeftOut<Output, Input>(shape: z.ZodType<Output, Input>) {
  return given(shape).exactOptional();
}

/** An argument that is no `undefined`, with the words for one that hands on a variable. */
export function given<Output, Input>(shape: z.ZodType<Output, Input>) {
  return z.custom<Input>((value) => value !== undefined, GIVEN_AS_UNDEFINED).pipe(shape);
}

/** One of these words. */
export function choice<const Choice extends string>(choices: readonly Choice[]) {
  return z.enum(choices, `must be ${choices.join(" or ")}`);
}

/** An object whose keys are the caller's own. */
export const anyObject = z.custom<Readonly<Record<string, unknown>>>(isRecord, "must be an object");

/** Something that only the type checker looks into: an object. */
export function objectOf<Type extends object>() {
  return z.custom<Type>((value) => typeof value === "object" && value !== null, "must be an object");
}

/** Something that only the type checker looks into: a function. */
export function functionOf<Type>() {
  return z.custom<Type>((value) => typeof value === "function", "must be a function");
}

/** An object that has these functions, of a class or made by hand; `what` is what to give. */
export function objectWith<Type extends object>(functions: readonly (keyof Type & string)[], what: string) {
  return z.custom<Type>((value) => {
    if (typeof value !== "object" || value === null) return false;
    return functions.every((name) => typeof Reflect.get(value, name) === "function");
  }, `must be ${what}`);
}

/** A signal that ends a call; often its controller is given in its place. */
export const abortSignal = z.custom<AbortSignal>(isSignal, "must be an AbortSignal");

function isSignal(value: unknown): boolean {
  return typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value;
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for what a loop can walk: an array, a generator, a stream of objects. */
export function isIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
}
