import { join } from "node:path";

/** What the tests give to each of the hundreds of Node processes that they start: what saves it time. */
export const NODE_ARGUMENTS: readonly string[] = ["--require", join(import.meta.dirname, "short-process.cjs")];

/** Words of a command line as the environment hands them to Node: a path may have a blank. */
export function nodeOptions(...words: readonly string[]): { readonly NODE_OPTIONS: string } {
  return { NODE_OPTIONS: words.map((word) => JSON.stringify(word)).join(" ") };
}
