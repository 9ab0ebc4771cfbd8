import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "../scripts/command.ts";
import { formatted } from "../scripts/formatted.ts";
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
import { bench, count, names } from "./options.ts";
import { table, targetLine } from "./table.ts";

export const RESULT = "bench/judge-errors.json";
/** The pages that show tables of the bench, each between the marks with its name. */
export const PAGES = { "docs/benchmarks.md": ["errors"], "docs/judge.md": ["choices", "found"] } as const;
const SEED = 2;

/**
 * Judges simulated runs whose truth is known, by whole judgements: how often is a rule red, or green, when it should not be,
 * and how often does it find a loss? Ends with 1 if a rule is wrong more often than it may be.
 */
export const judgeErrors = bench(
  "judging runs whose truth is known: how often each rule is wrong, and finds a loss",
  {
    runs: count("simulated runs for each number; 10 take less than a minute", 1000),
    to: names("where the tables go, pages with the result itself", ["screen", "pages"], ["screen"]),
  },
  async ({ runs, to }) => {
    const result: FoundErrors = {
      seed: SEED,
      rates: errorRates(runs, SEED),
      choices: choiceRates(2 * runs, SEED),
      found: foundRates(runs, SEED),
    };
    const { rates, choices, found } = result;
    for (const { title, head, rows } of [...errorTables(rates), choiceTable(choices), foundTable(found)]) {
      console.log(`${title}\n`);
      for (const line of table(head, rows)) console.log(line);
      console.log("");
    }
    console.log(`${errorText(rates)}; seed ${SEED}`);
    const targets = targetsOf(rates);
    for (const { what, figure, isMet } of targets) console.log(targetLine(what, figure, isMet));
    if (to.includes("pages")) await writeResult(result);
    if (targets.some(({ isMet }) => !isMet)) process.exitCode = 1;
  },
);

/** Keeps a result, and writes its tables into the pages. */
export async function writeResult(result: FoundErrors): Promise<void> {
  await writeFile(join(projectRoot, RESULT), keptText(result));
  for (const [page, names] of Object.entries(PAGES)) {
    let text = await readFile(join(projectRoot, page), "utf8");
    for (const name of names) text = withShown(text, name, shownTables(result)[name]);
    await writeFile(join(projectRoot, page), await formatted(page, text));
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

const mark = (name: string) => `<!-- Written by \`npm run bench -- judge-errors --to pages\`: ${name} -->`;
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
