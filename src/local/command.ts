import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { FieldNames } from "../contract/field-names.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { EDITIONS } from "../contract/source.ts";
import { isUuid } from "../contract/uuid.ts";
import type { CompareExperiments } from "../pages/experiment-comparison.ts";
import { logLine } from "../text/command-free.ts";
import { quoted } from "../text/quoted.ts";
import { withFullStop } from "../text/reasons.ts";
import { VERSION } from "../version.ts";
import { readAgentCommand } from "./agents/command.ts";
import { machineEnvironment } from "./agents/machine-environment.ts";
import type { LocalServiceOptions } from "./options.ts";
import { startLocalService } from "./service.ts";

/** The default of --port. */
export const DEFAULT_PORT = 8123;

const USAGE = `Usage: graph-deploy COMMAND [options]

Commands:
  local      start a local service to try out deployments, uploads of experiments, and traces

Options:
  --help     print this help, or after a command its options
  --version  print the version
`;

export const LOCAL_USAGE = `Usage: graph-deploy local [options]

Starts a local service on 127.0.0.1: a control plane with an agent server for each deployment. It also accepts uploads
of experiments and runs of traces, and has pages that show them. The first line on stdout is its URL; the log goes to
stderr. Ctrl-C stops it.

Options:
  --port N                 the port; 0 picks a free one (default: ${String(DEFAULT_PORT)})
  --data-dir DIR           keep the state in this directory (default: in memory, lost at the end)
  --api-key KEY            require this API key (default: no authentication)
  --tenant-id ID           require this tenant ID, a UUID (default: any); with --api-key, either of them suffices for
                           deployments, and experiments and runs need both
  --edition EDITION        ${EDITIONS.join(" | ")}: offer only the sources of this edition (default: all)
  --field-names PAIRS      names on the wire: ours=theirs, separated by commas
  --compat                 also accept fields that public clients send and the API does not have
  --agent-command CMD      run each uploaded project with this command; {port}, {dir} and {revision} are filled in
                           (default: the built-in agent server responds for all)
  --agent-start-milliseconds N  timeout for the start of an agent (default: 120000)
  --walk-milliseconds N    simulated rollout time of a revision (default: 1000)
  --experiment-delay-milliseconds N  delay of the statistics of an uploaded experiment (default: 3000)
  --experiment-limit-bytes N  largest body of such an upload (default: 2147483648)
  --help                   print this help
  --version                print the version
`;

export type Command =
  | { readonly kind: "help"; readonly usage: string }
  | { readonly kind: "version" }
  | { readonly kind: "invalid"; readonly errors: readonly string[] }
  | { readonly kind: "local"; readonly options: LocalServiceOptions };

const TEXT_FLAGS = [
  ...["port", "data-dir", "api-key", "tenant-id", "edition", "field-names", "agent-command"],
  ...["agent-start-milliseconds", "walk-milliseconds", "experiment-delay-milliseconds", "experiment-limit-bytes"],
] as const;
const SWITCHES = ["compat", "help", "version"] as const;
const DAY_MS = 86_400_000;
type TextFlag = (typeof TEXT_FLAGS)[number];

/** Reads the arguments after the name of the program; each error is a sentence. */
export function readCommand(argv: readonly string[]): Command {
  const options: ParseArgsOptionsConfig = {};
  for (const name of TEXT_FLAGS) options[name] = { type: "string" };
  for (const name of SWITCHES) options[name] = { type: "boolean" };
  // Not strict: Node's own check stops at the first error.
  const { tokens } = parseArgs({ args: [...argv], strict: false, tokens: true, options });
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const [command, ...others] = words;
  const help = command === "local" ? "graph-deploy local --help" : "graph-deploy --help";
  const unknown = (what: string) => `${what} is not a known option; see ${help}.`;
  const errors: string[] = [];
  const given = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value = "" } = token;
    const isSwitch = SWITCHES.some((known) => known === name);
    if (isSwitch && token.value !== undefined) errors.push(`${rawName} takes no value.`);
    else if (!isSwitch && !TEXT_FLAGS.some((known) => known === name)) errors.push(unknown(rawName));
    else if (!isSwitch && value === "") errors.push(`${rawName} needs a value.`);
    else given.set(name, value);
  }
  errors.push(...others.map((word) => unknown(quoted(word))));
  const isGeneral = given.has("help") || given.has("version");
  if (command === undefined && !isGeneral) errors.unshift("Name a command: graph-deploy local.");
  if (command !== undefined && command !== "local") {
    errors.unshift(`Unknown command ${quoted(command)}; the only command is local.`);
  }
  const settings = readOptions(given, errors);
  if (errors.length > 0) return { kind: "invalid", errors };
  if (given.has("help")) return { kind: "help", usage: command === undefined ? USAGE : LOCAL_USAGE };
  return given.has("version") ? { kind: "version" } : { kind: "local", options: settings };
}

function readOptions(given: ReadonlyMap<string, string>, errors: string[]): LocalServiceOptions {
  const text = (name: TextFlag) => given.get(name);
  const number = (name: TextFlag, most: number) => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (/^\d+$/.test(value) && Number(value) <= most) return Number(value);
    errors.push(`--${name} "${value}" is not a whole number from 0 to ${String(most)}.`);
    return undefined;
  };
  const port = number("port", 65_535) ?? DEFAULT_PORT;
  const tenantId = text("tenant-id");
  if (tenantId !== undefined && !isUuid(tenantId)) errors.push(`--tenant-id ${quoted(tenantId)} is not a UUID.`);
  const wanted = text("edition");
  const edition = EDITIONS.find((known) => known === wanted);
  if (edition === undefined && wanted !== undefined) {
    errors.push(`--edition "${wanted}"; choose ${EDITIONS.join(" or ")}.`);
  }
  const parsed = <Value>(name: TextFlag, parse: (value: string) => Value) => {
    const value = text(name);
    try {
      return value === undefined ? undefined : parse(value);
    } catch (error) {
      if (!(error instanceof GraphDeployError)) throw error;
      errors.push(`--${name}: ${withFullStop(error.message)}`);
      return undefined;
    }
  };
  const fieldNames = parsed("field-names", (value) => FieldNames.parse(value));
  parsed("agent-command", readAgentCommand);
  return {
    port,
    dataDirectory: text("data-dir"),
    apiKey: text("api-key"),
    tenantId,
    edition,
    fieldNames,
    compat: given.has("compat"),
    agentCommand: text("agent-command"),
    agentStartMilliseconds: number("agent-start-milliseconds", DAY_MS),
    walkMilliseconds: number("walk-milliseconds", DAY_MS),
    experimentDelayMilliseconds: number("experiment-delay-milliseconds", DAY_MS),
    experimentLimitBytes: number("experiment-limit-bytes", Number.MAX_SAFE_INTEGER),
  };
}

export interface CommandHost {
  /** The arguments after the name of the program. */
  readonly argv: readonly string[];
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Compares experiments for their page. */
  readonly compare: CompareExperiments;
  /** The processes of agents only get a part of it: `machineEnvironment`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolves when the process should stop. */
  readonly stopped: Promise<unknown>;
}

const OPEN_TO_RUN =
  "Anyone who can deploy here can run programs as your user: set --api-key unless you are the only user of this machine.";
const TENANT_TO_RUN =
  "Anyone who knows the tenant ID can run programs as your user: leave out --tenant-id unless you are the only user of this machine.";
const NEEDS_KEY = "requests need the API key";

/** Runs until `stopped`. Returns the exit code: 0, 1 if it cannot start, 2 for invalid arguments. */
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
  const log = (line: string) => {
    host.error(`${logLine(line)}\n`);
  };
  if (command.kind === "invalid") {
    command.errors.forEach(log);
    return 2;
  }
  const agentEnvironment = machineEnvironment(host.environment);
  const { compare } = host;
  const service = await startLocalService({ ...command.options, agentEnvironment, compare, log }).catch(
    (error: unknown) => {
      if (!(error instanceof GraphDeployError)) throw error;
      log(error.advice === undefined ? error.message : `${error.message} ${error.advice}`);
    },
  );
  if (service === undefined) return 1;
  host.out(`${service.url}\n`);
  const { dataDirectory, agentCommand, apiKey, tenantId } = command.options;
  const state = dataDirectory === undefined ? "in memory" : `in ${dataDirectory}`;
  log(`State: ${state}; ${needed(apiKey, tenantId)}. Ctrl-C stops the service.`);
  const key = apiKey === undefined ? "" : " GRAPH_DEPLOY_API_KEY=KEY";
  const tenant = tenantId === undefined ? "" : ` GRAPH_DEPLOY_TENANT_ID=${tenantId}`;
  log(`To deploy to it, set GRAPH_DEPLOY_URL=${service.url}${key}${tenant}; docs/local-service.md has an example.`);
  log(`Deployments: ${service.url}/`);
  log(`Datasets and experiments: ${service.datasetsUrl}`);
  log(`Projects and traces: ${service.projectsUrl}`);
  if (apiKey !== undefined) log("The browser asks for a login: any user name, and the API key as password.");
  if (agentCommand !== undefined && apiKey === undefined) log(OPEN_TO_RUN);
  else if (agentCommand !== undefined && tenantId !== undefined) log(TENANT_TO_RUN);
  await host.stopped;
  await service.close();
  return 0;
}

function needed(apiKey: string | undefined, tenantId: string | undefined): string {
  if (tenantId === undefined) return apiKey === undefined ? "open to every user of this machine" : NEEDS_KEY;
  if (apiKey === undefined) return `requests need the tenant ${tenantId}`;
  return `${NEEDS_KEY} and the tenant ${tenantId}, those for deployments only one of them`;
}
