import { format } from "prettier";
import { LEFT_OUT } from "../src/deploy-project.ts";
import { DEPLOY_OPTIONS, DIRECTORY_OPTIONS, PATIENCE_OPTIONS, REQUEST_OPTIONS } from "../src/deployment/options.ts";
import { spelt, type Option, type OptionTable } from "../src/contract/options.ts";
import { aboutText, wrapped } from "./action-inputs.ts";

/** The file of the types of options, which an editor shows with their comments. */
export const GIVEN_OPTIONS = "src/deployment/given-options.ts";

/** The text of that file, made from the tables. */
export async function givenOptions(): Promise<string> {
  const given = Object.entries(DEPLOY_OPTIONS).filter(([name]) => !Object.hasOwn(LEFT_OUT, name));
  const text = `// \`npm run docs\` writes this file from options.ts.

/** What a program may say of a deploy, by the names of the options. */
export interface GivenDeployOptions {${fieldsOf(Object.fromEntries(given), () => true)}}

/** What of a directory is packed, with its defaults. */
export interface DirectoryOptions {${fieldsOf(DIRECTORY_OPTIONS, isLeftOut)}}

/** What a request of a deploy has besides its source, with the defaults. */
export interface RequestOptions {${fieldsOf(REQUEST_OPTIONS, isLeftOut)}}

/** How long a revision is waited for, and what is checked of it, with the defaults. */
export interface PatienceOptions {${fieldsOf(PATIENCE_OPTIONS, isLeftOut)}}
`;
  return await format(text, { parser: "typescript", printWidth: 120 });
}

function isLeftOut(option: Option<unknown>): boolean {
  return option.default === undefined;
}

function fieldsOf(table: OptionTable, isOptional: (option: Option<unknown>) => boolean): string {
  return Object.entries(table)
    .map(([name, option]) => {
      const type = isOptional(option) ? `?: ${option.kind.type} | undefined` : `: ${option.kind.type}`;
      return `\n${commentOf(option)}\n  readonly ${name}${type};`;
    })
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
