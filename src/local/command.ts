import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { FieldNames, FieldNamesError } from "../contract/field-names.ts";
import { EDITIONS, type Edition } from "../contract/source.ts";
import { AgentCommand, AgentCommandError } from "./agent-command.ts";
import type { LocalServiceOptions } from "./options.ts";

/** The port that the command takes when none is named. */
export const DEFAULT_PORT = 8123;

/** What --help prints. */
export const USAGE = `Usage: graph-deploy local [options]

Starts a control plane on 127.0.0.1, with an agent server for each deployment; it takes the uploads of experiments and
the runs of traces too, and has pages that show them. The first line of the output is its URL; what happens is told on the error
output. Ctrl-C ends it.

Options:
  --port N                 the port; 0 takes a free one (default: ${String(DEFAULT_PORT)})
  --data-dir DIR           keep the state here (default: in memory, gone at the end)
  --api-key KEY            callers need this key (default: anybody may call)
  --tenant-id ID           callers must name this tenant
  --edition EDITION        ${EDITIONS.join(" | ")}: offer only the sources of this edition (default: all)
  --field-names PAIRS      how names are spelled on the wire: ours=theirs, by comma
  --compat                 also accept what public clients send beyond the contract
  --agent-command CMD      run each uploaded project by this command, with {port}, {dir} and {revision} filled in
                           (default: the built-in agent server answers for all)
  --agent-start-milliseconds N  how long an agent may take until it answers (default: 120000)
  --walk-milliseconds N    how long a revision takes from its first status to the last (default: 1000)
  --experiment-delay-milliseconds N  how long after an upload the statistics of an experiment come out (default: 3000)
  --experiment-limit-bytes N  how large the body of such an upload may be (default: 2147483648)
  --help                   print this
`;

/** What the arguments ask for. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "faults"; readonly faults: readonly string[] }
  | { readonly kind: "local"; readonly options: LocalServiceOptions };

const TEXT_FLAGS = [
  ...["port", "data-dir", "api-key", "tenant-id", "edition", "field-names", "agent-command"],
  ...["agent-start-milliseconds", "walk-milliseconds", "experiment-delay-milliseconds", "experiment-limit-bytes"],
] as const;
const SWITCHES = ["compat", "help"] as const;
const DAY_MS = 86_400_000;
type TextFlag = (typeof TEXT_FLAGS)[number];

/** Reads the arguments after the name of the program; every fault is a sentence. */
export function readCommand(argv: readonly string[]): Command {
  const options: ParseArgsOptionsConfig = {};
  for (const name of TEXT_FLAGS) options[name] = { type: "string" };
  for (const name of SWITCHES) options[name] = { type: "boolean" };
  // Not strict: node's own check stops at the first fault.
  const { tokens } = parseArgs({ args: [...argv], strict: false, tokens: true, options });
  const faults: string[] = [];
  const words: string[] = [];
  const given = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const fault = faultOf(token);
    if (fault === undefined) given.set(token.name, token.value ?? "");
    else faults.push(fault);
  }
  if (given.has("help")) return { kind: "help" };
  if (words[0] !== "local") faults.unshift("Name a command: graph-deploy local.");
  faults.push(...words.slice(1).map((word) => `"${word}" is no option; see graph-deploy --help.`));
  const settings = readOptions(given, faults);
  return faults.length > 0 ? { kind: "faults", faults } : { kind: "local", options: settings };
}

function faultOf(token: { readonly name: string; readonly rawName: string; readonly value?: string | undefined }) {
  const { name, rawName, value } = token;
  if (SWITCHES.some((known) => known === name)) return value === undefined ? undefined : `${rawName} takes no value.`;
  if (!TEXT_FLAGS.some((known) => known === name)) return `${rawName} is no option; see graph-deploy --help.`;
  return value === undefined || value === "" ? `${rawName} needs a value.` : undefined;
}

function readOptions(given: ReadonlyMap<string, string>, faults: string[]): LocalServiceOptions {
  const text = (name: TextFlag) => given.get(name);
  const number = (name: TextFlag, most: number) => readNumber(name, text(name), most, faults);
  return {
    port: number("port", 65_535) ?? DEFAULT_PORT,
    dataDirectory: text("data-dir"),
    apiKey: text("api-key"),
    tenantId: text("tenant-id"),
    edition: readEdition(text("edition"), faults),
    fieldNames: readFieldNames(text("field-names") ?? "", faults),
    compat: given.has("compat"),
    agentCommand: readAgentCommand(text("agent-command"), faults),
    agentStartMilliseconds: number("agent-start-milliseconds", DAY_MS),
    walkMilliseconds: number("walk-milliseconds", DAY_MS),
    experimentDelayMilliseconds: number("experiment-delay-milliseconds", DAY_MS),
    experimentLimitBytes: number("experiment-limit-bytes", Number.MAX_SAFE_INTEGER),
  };
}

function readNumber(name: TextFlag, value: string | undefined, most: number, faults: string[]): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value) && Number(value) <= most) return Number(value);
  faults.push(`--${name} "${value}" is no whole number from 0 to ${String(most)}.`);
  return undefined;
}

function readEdition(value: string | undefined, faults: string[]): Edition | undefined {
  const edition = EDITIONS.find((known) => known === value);
  if (edition === undefined && value !== undefined) {
    faults.push(`--edition "${value}"; choose ${EDITIONS.join(" or ")}.`);
  }
  return edition;
}

function readAgentCommand(text: string | undefined, faults: string[]): string | undefined {
  try {
    if (text !== undefined) AgentCommand.parse(text);
  } catch (error) {
    if (!(error instanceof AgentCommandError)) throw error;
    faults.push(`--agent-command: ${error.message}`);
  }
  return text;
}

function readFieldNames(text: string, faults: string[]): FieldNames {
  try {
    return FieldNames.parse(text);
  } catch (error) {
    if (!(error instanceof FieldNamesError)) throw error;
    faults.push(`--field-names: ${error.message}.`);
    return FieldNames.none;
  }
}
