import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { VERSION } from "../version.ts";
import { readCommand } from "./command.ts";
import { machineEnvironment } from "./agents/machine-environment.ts";
import type { LocalServiceOptions } from "./options.ts";
import { startLocalService, type LocalService } from "./service.ts";

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
