import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import * as z from "zod";
import type { DeclaredInputs } from "../front/options/never-empty.ts";
import { spelt, type Option, type OptionTable, type Spelling } from "../src/contract/options.ts";
import { projectRoot } from "./command.ts";
import { formatted } from "./formatted.ts";

const Inputs = z.record(
  z.string(),
  // What checks a workflow misses a required input only where it has no default.
  z.object({ description: z.string(), required: z.boolean().default(false), default: z.string().default("") }),
);
type Input = z.infer<typeof Inputs>[string];

/** The text of an action.yml with its inputs as the options of the step say them; one that says the same stays as it is. */
export async function actionFile(file: string, { defaults, table, spelling }: DeclaredInputs<string>): Promise<string> {
  const text = await readFile(join(projectRoot, file), "utf8");
  const inputs = table === undefined || spelling === undefined ? new Map<string, Input>() : inputsOf(table, spelling);
  return await formatted(file, withInputs(text, Object.keys(defaults), inputs));
}

function inputsOf(table: OptionTable, spelling: Spelling): ReadonlyMap<string, Input> {
  const inputs = Object.entries(table).map(([name, option]) => {
    const { default: fallback, word, required = false } = option;
    const description = spelt(aboutText(option, "text"), spelling);
    return [spelling(name), { description, required, default: fallback ?? word ?? "" }] as const;
  });
  return new Map(inputs);
}

/** What is said of an option: to a person who writes texts, or in a program, whose image or branch names its source. */
export function aboutText({ about, inPrograms, kind, of = [] }: Option<unknown>, where: "text" | "value"): string {
  const said = where === "text" ? about : (inPrograms ?? about);
  const source = where === "text" ? `\`${of.join()}\`` : "a directory";
  const isShown = of.length === 1 && (where === "text" || of.includes("internal_source"));
  return said.replace("{form}", kind.form?.[where] ?? "") + (isShown ? ` Only for ${source}.` : "");
}

function withInputs(text: string, names: readonly string[], inputs: ReadonlyMap<string, Input>): string {
  const [, head = "", block = "", tail = ""] = /^([^]*\ninputs:\n)([^]*?)(\n(?=\S)[^]*)$/.exec(text) ?? [];
  const written = new Map(
    block.split(/\n(?= {2}\S)/).map((entry) => [/^ {2}([^\s:]+):/.exec(entry)?.[1] ?? "", entry]),
  );
  // A new input stands behind the one that is before it in the table.
  const order = [...written.keys()].filter((name) => names.includes(name));
  for (const [at, name] of names.entries()) {
    if (!order.includes(name)) order.splice(order.indexOf(names[at - 1] ?? "") + 1, 0, name);
  }
  const entries = order.map((name) => {
    const entry = (written.get(name) ?? "").trimEnd();
    const input = inputs.get(name);
    const { [name]: before } = entry === "" ? {} : Inputs.parse(parse(entry));
    return input === undefined || isDeepStrictEqual(before, input) ? entry : entryOf(name, input);
  });
  return `${head}${entries.join("\n")}\n${tail}`;
}

function entryOf(name: string, { description, required, default: fallback }: Input): string {
  const value =
    /^[a-z$][\w${} .-]*$/i.test(fallback) && !/^(true|false|null)$/.test(fallback)
      ? fallback
      : JSON.stringify(fallback);
  const last = required ? "required: true" : `default: ${value}`;
  return `  ${name}:\n    description: >-\n      ${wrapped(description, 120).join("\n      ")}\n    ${last}`;
}

/** A text in lines of at most so many characters. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
