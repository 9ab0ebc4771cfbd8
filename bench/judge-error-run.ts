import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { projectRoot } from "../scripts/command.ts";
import { choiceRates, errorRates, foundRates } from "./judge-errors.ts";
import {
  choiceTable,
  errorTables,
  errorText,
  type FoundErrors,
  foundTable,
  type Table,
  targetsOf,
} from "./judge-error-tables.ts";
import { table, targetLine } from "./table.ts";

export const RESULT = "bench/judge-errors.json";
/** The pages that show tables of the bench, each between the marks with its name. */
export const PAGES = { "docs/benchmarks.md": ["errors"], "docs/judge.md": ["choices", "found"] } as const;
const SEED = 2;

const HELP = `npm run bench -- judge-errors [--runs N] [--write]

Judges simulated runs whose truth is known, by whole judgements, and ends with 1 if a rule is wrong more often than it may be.

  --runs N   runs for each number: 1000 unless given; 100 take less than a minute
  --write    keeps the result in ${RESULT}, and writes its tables into ${Object.keys(PAGES).join(" and ")}`;

export async function judgeErrors(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: "string", default: "1000" },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const runs = Number(values.runs);
  if (values.help) return console.log(HELP);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs ${values.runs} is not a number of runs from 1`);
  const result: FoundErrors = {
    seed: SEED,
    rates: errorRates(runs, SEED),
    choices: choiceRates(2 * runs, SEED),
    found: foundRates(runs, SEED),
  };
  for (const { title, head, rows } of [
    ...errorTables(result.rates),
    choiceTable(result.choices),
    foundTable(result.found),
  ]) {
    console.log(`${title}\n`);
    for (const line of table(head, rows)) console.log(line);
    console.log("");
  }
  console.log(`${errorText(result.rates)}; seed ${SEED}`);
  const targets = targetsOf(result.rates);
  for (const { what, figure, isMet } of targets) console.log(targetLine(what, figure, isMet));
  if (values.write) await writeResult(result);
  if (targets.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

/** Keeps a result, and writes its tables into the pages. */
export async function writeResult(result: FoundErrors): Promise<void> {
  await writeFile(join(projectRoot, RESULT), keptText(result));
  for (const [page, names] of Object.entries(PAGES)) {
    let text = await readFile(join(projectRoot, page), "utf8");
    for (const name of names) text = withShown(text, name, shownTables(result)[name]);
    await writeFile(join(projectRoot, page), await format(text, { parser: "markdown", printWidth: 120 }));
  }
}

/** A line for each kind of scores and number of cases, with numbers of nine digits. */
function keptText(result: FoundErrors): string {
  const lines = Object.entries(result).map(([name, value]: readonly [string, unknown]) => {
    const rows = (Array.isArray(value) ? value : [value]).map((each) =>
      JSON.stringify(each, (_key, part: unknown) => (typeof part === "number" ? Number(part.toPrecision(9)) : part)),
    );
    return `"${name}": ${Array.isArray(value) ? `[\n${rows.join(",\n")}\n]` : (rows[0] ?? "")}`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

type ShownName = "choices" | "errors" | "found";

/** What the pages show. */
export function shownTables({ rates, choices, found }: FoundErrors): Readonly<Record<ShownName, string>> {
  const withTitle = (one: Table) => `${one.title}:\n\n${markdown(one)}`;
  const targets = targetsOf(rates).map(({ what, figure }) => `- ${what}: ${figure}`);
  return {
    errors: [...errorTables(rates).map(withTitle), `${errorText(rates)}.`, targets.join("\n")].join("\n\n"),
    choices: markdown(choiceTable(choices)),
    found: markdown(foundTable(found)),
  };
}

function markdown({ head, rows }: Table): string {
  return [head, head.map((_, at) => (at === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

const mark = (name: string) => `<!-- Written by \`npm run bench -- judge-errors --write\`: ${name} -->`;
const END = "<!-- End -->";

/** The part of a page between the marks of a name, and what is before and behind it. */
export function partsOf(page: string, name: ShownName): readonly [before: string, shown: string, behind: string] {
  const start = page.indexOf(mark(name));
  const end = page.indexOf(END, start);
  if (start === -1 || end === -1) throw new Error(`the page lacks ${mark(name)}`);
  const first = start + mark(name).length;
  return [page.slice(0, first), page.slice(first, end), page.slice(end)];
}

function withShown(page: string, name: ShownName, shown: string): string {
  const [before, , behind] = partsOf(page, name);
  return `${before}\n\n${shown}\n\n${behind}`;
}
