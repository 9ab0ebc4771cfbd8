import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { FieldNames, FieldNamesError } from "../contract/field-names.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { EDITIONS, type Edition } from "../contract/source.ts";
import { quoted } from "../text/quoted.ts";
import { VERSION } from "../version.ts";
import { AgentCommand, AgentCommandError } from "./agents/command.ts";
import { machineEnvironment } from "./agents/machine-environment.ts";
import type { LocalServiceOptions } from "./options.ts";
import { startLocalService, type LocalService } from "./service.ts";

/** The port that the command takes when none is named. */
export const DEFAULT_PORT = 8123;

/** What --help prints before a command is named. */
const USAGE = `Usage: graph-deploy COMMAND [options]

Commands:
  local      start a control plane on this machine, to try out deploys, uploads of experiments and traces

Options:
  --help     print this; behind a command, the options of that command
  --version  print the version
`;

/** What `local --help` prints. */
export const LOCAL_USAGE = `Usage: graph-deploy local [options]

Starts a control plane on 127.0.0.1, with an agent server for each deployment; it takes the uploads of experiments and
the runs of traces too, and has pages that show them. The first line of the output is its URL; what happens is told on the error
output. Ctrl-C ends it.

Options:
  --port N                 the port; 0 picks a free one (default: ${String(DEFAULT_PORT)})
  --data-dir DIR           keep the state here (default: in memory, gone at the end)
  --api-key KEY            require this API key (default: no authentication)
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
  --version                print the version
`;

/** What the arguments ask for. */
export type Command =
  | { readonly kind: "help"; readonly usage: string }
  | { readonly kind: "version" }
  | { readonly kind: "faults"; readonly faults: readonly string[] }
  | { readonly kind: "local"; readonly options: LocalServiceOptions };

const TEXT_FLAGS = [
  ...["port", "data-dir", "api-key", "tenant-id", "edition", "field-names", "agent-command"],
  ...["agent-start-milliseconds", "walk-milliseconds", "experiment-delay-milliseconds", "experiment-limit-bytes"],
] as const;
const SWITCHES = ["compat", "help", "version"] as const;
const DAY_MS = 86_400_000;
type TextFlag = (typeof TEXT_FLAGS)[number];

/** Reads the arguments after the name of the program; every fault is a sentence. */
export function readCommand(argv: readonly string[]): Command {
  const options: ParseArgsOptionsConfig = {};
  for (const name of TEXT_FLAGS) options[name] = { type: "string" };
  for (const name of SWITCHES) options[name] = { type: "boolean" };
  // Not strict: node's own check stops at the first fault.
  const { tokens } = parseArgs({ args: [...argv], strict: false, tokens: true, options });
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const [command, ...others] = words;
  const help = command === "local" ? "graph-deploy local --help" : "graph-deploy --help";
  const unknown = (what: string) => `${what} is not a known option; see ${help}.`;
  const faults: string[] = [];
  const given = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const fault = faultOf(token, unknown);
    if (fault === undefined) given.set(token.name, token.value ?? "");
    else faults.push(fault);
  }
  faults.push(...others.map((word) => unknown(quoted(word))));
  const isGeneral = given.has("help") || given.has("version");
  if (command === undefined && !isGeneral) faults.unshift("Name a command: graph-deploy local.");
  if (command !== undefined && command !== "local") {
    faults.unshift(`Unknown command ${quoted(command)}; the only command is local.`);
  }
  const settings = readOptions(given, faults);
  if (faults.length > 0) return { kind: "faults", faults };
  if (given.has("help")) return { kind: "help", usage: command === undefined ? USAGE : LOCAL_USAGE };
  return given.has("version") ? { kind: "version" } : { kind: "local", options: settings };
}

function faultOf(
  { name, rawName, value }: { readonly name: string; readonly rawName: string; readonly value?: string | undefined },
  unknown: (what: string) => string,
): string | undefined {
  if (SWITCHES.some((known) => known === name)) return value === undefined ? undefined : `${rawName} takes no value.`;
  if (!TEXT_FLAGS.some((known) => known === name)) return unknown(rawName);
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
  faults.push(`--${name} "${value}" is not a whole number from 0 to ${String(most)}.`);
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

/** What the command needs from the process. */
export interface CommandHost {
  /** After the name of the program. */
  readonly argv: readonly string[];
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** What the agents' processes get of it is a choice: `machineEnvironment`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Settles when the process is told to stop. */
  readonly stopped: Promise<unknown>;
}

const OPEN_TO_RUN = "Who deploys here runs programs under your name: set --api-key unless this machine is yours alone.";

/** Runs until it is told to stop; answers the exit code: 0, 1 when it cannot start, 2 for wrong arguments. */
export async function runCommand(host: CommandHost): Promise<number> {
  const command = readCommand(host.argv);
  if (command.kind === "help") {
    host.out(command.usage);
    return 0;
  }
  if (command.kind === "version") {
    host.out(`${VERSION}\n`);
    return 0;
  }
  if (command.kind === "faults") {
    for (const fault of command.faults) host.error(`${fault}\n`);
    return 2;
  }
  const log = (line: string) => {
    host.error(`${line}\n`);
  };
  const agentEnvironment = machineEnvironment(host.environment);
  const service = await start({ ...command.options, agentEnvironment, log }, log);
  if (service === undefined) return 1;
  host.out(`${service.url}\n`);
  log(describe(command.options));
  log(pagesOf(service, command.options));
  if (command.options.agentCommand !== undefined && command.options.apiKey === undefined) log(OPEN_TO_RUN);
  await host.stopped;
  await service.close();
  return 0;
}

async function start(options: LocalServiceOptions, log: (line: string) => void): Promise<LocalService | undefined> {
  try {
    return await startLocalService(options);
  } catch (error) {
    if (!(error instanceof GraphDeployError)) throw error;
    log(error.advice === undefined ? error.message : `${error.message} ${error.advice}`);
    return undefined;
  }
}

function pagesOf({ url, datasetsUrl, projectsUrl }: LocalService, { apiKey }: LocalServiceOptions): string {
  const login = "A browser asks for a login there: any name, with the API key as its password.";
  const pages = [
    `Deployments: ${url}/`,
    `Datasets and experiments: ${datasetsUrl}`,
    `Projects and traces: ${projectsUrl}`,
  ];
  return [...pages, ...(apiKey === undefined ? [] : [login])].join("\n");
}

function describe({ apiKey, dataDirectory, tenantId }: LocalServiceOptions): string {
  const state = dataDirectory === undefined ? "in memory" : `in ${dataDirectory}`;
  const key = apiKey === undefined ? "open to anybody on this machine" : "callers need the API key";
  const tenant = tenantId === undefined ? "" : `, and the tenant ${tenantId}`;
  return `The state is kept ${state}; ${key}${tenant}. Ctrl-C ends the service.`;
}
