import { format } from "prettier";
import { LEFT_OUT } from "../src/deploy-project.ts";
import { DEFINITION_OPTIONS, RUN_OPTIONS } from "../src/evaluation/options.ts";
import { EXPERIMENT_OPTIONS, READING_OPTIONS } from "../src/experiments/options.ts";
import { LEFT_OUT as JUDGE_LEFT_OUT } from "../src/judgement/judge-rows.ts";
import { JUDGE_OPTIONS } from "../src/judgement/options.ts";
import { TRACE_OPTIONS } from "../src/trace-files/options.ts";
import { DEPLOY_OPTIONS, DIRECTORY_OPTIONS, PATIENCE_OPTIONS } from "../src/deployment/options.ts";
import { REQUEST_OPTIONS } from "../src/deployment/request.ts";
import { spelt, type Option, type OptionTable } from "../src/contract/options.ts";
import { aboutText, wrapped } from "./action-inputs.ts";

/** The file of the types of a deploy's options, which an editor shows with their comments. */
export const GIVEN_OPTIONS = "src/deployment/given-options.ts";

const given = (table: OptionTable, left: object = {}) =>
  fieldsOf(Object.fromEntries(Object.entries(table).filter(([name]) => !Object.hasOwn(left, name))));

/** What each of these files says after its first line. */
const FILES: ReadonlyMap<string, () => string> = new Map([
  [
    GIVEN_OPTIONS,
    () => `
/** What a program may say of a deploy, by the names of the options. */
export interface GivenDeployOptions {${given(DEPLOY_OPTIONS, LEFT_OUT)}}

/** What of a directory is packed, with its defaults. */
export type DirectoryOptions = ${filled(DIRECTORY_OPTIONS)};

/** What a request of a deploy has besides its source, with the defaults. */
export type RequestOptions = ${filled(REQUEST_OPTIONS)};

/** How long a revision is waited for, and what is checked of it, with the defaults. */
export type PatienceOptions = ${filled(PATIENCE_OPTIONS)};
`,
  ],
  [
    "src/experiments/given-options.ts",
    () => `
import type { FormatName } from "./format-names.ts";
import type { ResultScores } from "./rows/given-scores.ts";

/** What a program may say of an upload of results, by the names of the options. */
export interface GivenExperimentOptions {${given({ ...READING_OPTIONS, ...EXPERIMENT_OPTIONS })}}
`,
  ],
  [
    "src/given-evaluation-options.ts",
    () => `
import type { Prices } from "./scoring/usage.ts";

/** What a program may say of an evaluation, by the names of the options. */
export interface GivenEvaluationOptions {${given({ ...DEFINITION_OPTIONS, ...RUN_OPTIONS })}}
`,
  ],
  [
    "src/trace-files/given-options.ts",
    () => `
/** What a program may say of an upload of traces, by the names of the options. */
export interface GivenTraceOptions {${given(TRACE_OPTIONS)}}
`,
  ],
  [
    "src/judgement/given-options.ts",
    () => `
import type { Direction } from "./cases/case-set.ts";
import type { MetricRange } from "./options.ts";

/** What a program may say of a judgement, by the names of the options. */
export interface GivenJudgeOptions {${given(JUDGE_OPTIONS, JUDGE_LEFT_OUT)}}
`,
  ],
]);

/** The paths of the files of types that are made from the tables. */
export const GIVEN_FILES: readonly string[] = [...FILES.keys()];

/** The text of such a file. */
export async function givenOptions(file = GIVEN_OPTIONS): Promise<string> {
  const text = `// \`npm run docs\` writes this file from options.ts.\n${FILES.get(file)?.() ?? ""}`;
  return await format(text, { parser: "typescript", printWidth: 120 });
}

/** The options of a table as a type: those without a default may be left out. */
function filled(table: OptionTable): string {
  const pick = (options: OptionTable) =>
    `Pick<GivenDeployOptions, ${Object.keys(options)
      .map((name) => JSON.stringify(name))
      .join(" | ")}>`;
  const entries = Object.entries(table);
  const open = Object.fromEntries(entries.filter(([, option]) => option.default === undefined));
  const others = Object.fromEntries(entries.filter(([, option]) => option.default !== undefined));
  // Of the keys of a type, so that an editor shows the comments that stand there.
  const type = `{ readonly [Name in keyof ${pick(others)}]-?: NonNullable<GivenDeployOptions[Name]> }`;
  return Object.keys(open).length === 0 ? type : `${type} & ${pick(open)}`;
}

function fieldsOf(table: OptionTable): string {
  return Object.entries(table)
    .map(([name, option]) => `\n${commentOf(option)}\n  readonly ${name}?: ${option.kind.type} | undefined;`)
    .join("");
}

const SPELLINGS: Readonly<Record<string, string>> = { smokeInput: "smokeRun" };

/** What the option is and its default, in lines of the usual width. */
function commentOf(option: Option<unknown>): string {
  const { value } = option.default === undefined ? { value: undefined } : option.parse("");
  const isShown = ["boolean", "number"].includes(typeof value) || (typeof value === "string" && value !== "");
  const fallback = isShown ? ` Default: \`${String(value)}\`.` : "";
  const text = spelt(aboutText(option, "value"), (name) => SPELLINGS[name] ?? name) + fallback;
  if (text.length <= 109) return `  /** ${text} */`;
  const lines = wrapped(text, 115).map((line) => `   * ${line}`);
  return ["  /**", ...lines, "   */"].join("\n");
}
