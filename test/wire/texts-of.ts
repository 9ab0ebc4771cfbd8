import { inspect } from "node:util";

/** Every text in which an error may end: what is printed, serialised or inspected, down its chain of causes. */
export function textsOf(error: unknown): readonly string[] {
  const texts = [String(error), JSON.stringify(error), inspect(error, { depth: 20, showHidden: true })];
  if (!(error instanceof Error)) return texts;
  texts.push(error.message, error.stack ?? "");
  for (const name of Object.getOwnPropertyNames(error)) texts.push(JSON.stringify({ value: Reflect.get(error, name) }));
  return error.cause === undefined ? texts : [...texts, ...textsOf(error.cause)];
}

/** True when the text is one line of prose: no dump, no stack, no placeholder of a value that was missing. */
export function isSentence(text: string): boolean {
  return (
    /^\S.{10,800}$/u.test(text) &&
    !/\p{Cc}|\[object |(?<!received )\bundefined\b|\bNaN\b|ZodError|\n\s+at |<!doctype|<html/iu.test(text)
  );
}
