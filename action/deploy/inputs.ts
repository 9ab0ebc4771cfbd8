import type { DeployRequest } from "../../src/deployment/request.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { givenInput, InputReader, type Environment } from "../inputs/input-reader.ts";
import { InputsError } from "../inputs/inputs-error.ts";
import { passwordsIn, proxyPasswords } from "../inputs/proxy.ts";
import { readRunner, type RunnerFacts } from "../inputs/runner.ts";
import { readConnection, secretsOfConnection, type ConnectionInputs } from "./connection.ts";
import { DEPLOY_INPUTS } from "./declared-inputs.ts";
import { readSecrets, secretsOfLines } from "./secret-lines.ts";
import { checkSourceRules, readSourceConfig } from "./source-config.ts";
import { readSource } from "./source.ts";
import { readTarget } from "./target.ts";

/** Everything that a step of the deploy action was told, checked as far as it can be without a request. */
export interface DeployInputs {
  readonly connection: ConnectionInputs;
  readonly request: DeployRequest;
  readonly dryRun: boolean;
  readonly jobSummary: boolean;
  readonly runner: RunnerFacts;
  /** Sentences on what is allowed and yet seldom meant. */
  readonly warnings: readonly string[];
}

// A week is more than any runner waits, and well below the 24.8 days after which a timer of Node overflows.
const LONGEST_WAIT_MILLISECONDS = 7 * 24 * 3_600_000;
const LONGEST_PAUSE_MILLISECONDS = 3_600_000;
const SHORTEST_MILLISECONDS = 100;

/**
 * Reads the inputs of the step from its environment, and the few files that they name. It makes no request.
 *
 * @throws InputsError with every fault.
 */
export async function readInputs(env: Environment): Promise<DeployInputs> {
  const reader = new InputReader(env, DEPLOY_INPUTS);
  const runner = readRunner(env);
  const connection = await readConnection(reader, env, runner);
  const target = readTarget(reader);
  const source = await readSource(reader, runner);
  const sourceConfig = readSourceConfig(reader);
  if (source !== undefined) checkSourceRules(reader, source, sourceConfig);
  const least = SHORTEST_MILLISECONDS;
  const settings = {
    sourceConfig,
    secrets: readSecrets(reader, env),
    wait: reader.boolean("wait"),
    timeoutMilliseconds: reader.duration("timeout", { least, most: LONGEST_WAIT_MILLISECONDS }),
    pollCapMilliseconds: reader.duration("poll-interval", { least, most: LONGEST_PAUSE_MILLISECONDS }),
    onSuperseded: reader.choice("on-superseded", ["fail", "succeed"]),
    smokeTest: reader.boolean("smoke-test"),
  };
  const dryRun = reader.boolean("dry-run");
  const jobSummary = reader.boolean("job-summary");
  const clean = withoutSecrets(secretsIn(env));
  if (reader.faults.length > 0 || connection === undefined || target === undefined || source === undefined) {
    throw new InputsError(reader.faults.map(({ input, message }) => ({ input, message: clean(message) })));
  }
  const request = { target, source, ...settings };
  return { connection, request, dryRun, jobSummary, runner, warnings: reader.warnings.map(clean) };
}

/** Every value that must not be printed, also of inputs that cannot be used. It never throws. */
export function secretsIn(env: Environment): readonly string[] {
  const addresses = [givenInput(env, "control-plane-url"), env["GRAPH_DEPLOY_URL"] ?? ""].flatMap(passwordsIn);
  const found = [...secretsOfConnection(env), ...secretsOfLines(env), ...addresses, ...proxyPasswords(env)];
  return [...new Set(found)].filter((secret) => secret.trim() !== "");
}

// A key that was pasted into the wrong input would stand in the report of that input.
function withoutSecrets(secrets: readonly string[]): (text: string) => string {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return (text) => redactor.text(text);
}
