import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FIXTURES = join(import.meta.dirname, "../../fixtures/traces");

/** A file that another program writes, in small: its keys and values are those of a file of that program. */
export interface ForeignFile {
  /** What the program is called. */
  readonly what: string;
  /** As `program/form.json`. */
  readonly name: string;
  readonly content: string;
}

/** A run `agent`, and below it a call of a model with 7 tokens and an error. */
export const SPAN_FILES = filesIn("spans");

/** Sessions of programs that write code: a root, and below it what the model said, of 7 tokens together. */
export const SESSION_FILES = filesIn("sessions");

function filesIn(folder: string): readonly ForeignFile[] {
  const names = globSync("*/*", { cwd: join(FIXTURES, folder) }).map((name) => name.replaceAll("\\", "/"));
  return names.toSorted().map((name) => {
    const content = readFileSync(join(FIXTURES, folder, name), "utf8");
    return { what: dirname(name).replaceAll("-", " "), name, content };
  });
}

/** The content of one of these files. */
export function contentOf(name: string): string {
  const file = [...SPAN_FILES, ...SESSION_FILES].find((each) => each.name === name);
  if (!file) throw new Error(`there is no ${name}`);
  return file.content;
}
