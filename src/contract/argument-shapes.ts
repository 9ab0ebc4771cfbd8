import * as z from "zod";

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
export const GIVEN_AS_UNDEFINED =
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
