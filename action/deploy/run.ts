import { EOL } from "node:os";
import * as core from "@actions/core";
import { connect } from "../../src/connection.ts";
import { deploy } from "../../src/deployment/deploy.ts";
import { dryRun } from "../../src/deployment/dry-run.ts";
import type { Emit } from "../../src/deployment/events.ts";
import { systemClock } from "../../src/http/clock.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { readRunner } from "../inputs/runner.ts";
import { Cancellation } from "./cancellation.ts";
import { readInputs, secretsIn, type DeployInputs } from "./inputs.ts";
import { startRehearsal } from "./rehearsal.ts";
import { Report } from "./report/report.ts";
import { makeSpool, removeSpool, SPOOL_STATE } from "./spool.ts";

/** Runs the step; answers the exit code. */
export async function run(process: NodeJS.Process, env: NodeJS.ProcessEnv): Promise<number> {
  const redactor = new Redactor(core.setSecret);
  for (const secret of secretsIn(env)) redactor.add(secret);
  const runner = readRunner(env);
  const report = new Report({ redactor, runner, print: (line) => process.stdout.write(line + EOL) });
  // Also when a promise never settles and Node gives up: the outputs are there on every exit.
  process.once("exit", () => {
    report.write();
  });
  using cancellation = new Cancellation(process, () => {
    report.cutShort();
    process.exit(1);
  });
  try {
    const inputs = await readInputs(env);
    report.configure(inputs);
    await carryOut(inputs, { redactor, signal: cancellation.signal, emit: report.emit });
  } catch (error) {
    report.failed(error);
  }
  report.write();
  return report.exitCode;
}

interface Surroundings {
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

async function carryOut(inputs: DeployInputs, { redactor, signal, emit }: Surroundings): Promise<void> {
  const { connection: settings, runner } = inputs;
  const { controlPlaneUrl, fieldNames, ...rest } = settings;
  await using rehearsal = controlPlaneUrl === "local" ? await startRehearsal(runner.temp, fieldNames) : undefined;
  await using connection = connect({
    ...rest,
    url: rehearsal?.url ?? String(controlPlaneUrl),
    fieldNames,
    redactor,
    signal,
    onRetry: (notice) => {
      emit({ type: "retry", notice });
    },
  });
  const spoolDirectory = await makeSpool(runner.temp);
  core.saveState(SPOOL_STATE, spoolDirectory);
  try {
    const deps = { ...connection, clock: systemClock, spoolDirectory, signal, emit };
    await (inputs.dryRun ? dryRun(inputs.request, deps) : deploy(inputs.request, deps));
  } finally {
    await removeSpool(spoolDirectory);
  }
}
