import { testWith } from "../../test-with.ts";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { DEPLOY_ACTION_INPUTS, type DeployActionInputName } from "../../../action/deploy/options.ts";
import type { DeployInputs, FollowInputs } from "../../../action/deploy/inputs.ts";
import { deployStep } from "../../../action/deploy/step.ts";
import type { ReportSettings } from "../../../front/account/step-report.ts";
import type { Environment } from "../../../front/environment.ts";
import { InputsError } from "../../../front/options/inputs-error.ts";
import { Endpoint } from "../../../src/http/endpoint.ts";
import { optionsOf } from "../hosted.ts";

export type Inputs = Partial<Record<DeployActionInputName, string>>;

/** Inputs that work, so that a test changes only what it is about. */
const WORKING: Inputs = { "control-plane-url": "https://control.example/api", "api-key": "key-0123", name: "agent" };

/** A workspace and a folder for the job, as a runner makes them; both are gone after the test. */
export async function makeRunner(): Promise<{ workspace: string; temp: string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "inputs-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [workspace, temp] = [join(root, "workspace"), join(root, "temp")];
  await Promise.all([mkdir(workspace), mkdir(temp)]);
  return { workspace, temp };
}

export const withRunner = testWith(makeRunner);

/** The variables in which the runner hands over inputs. */
export function inputVariables(inputs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [inputVariable(name), value]));
}

/**
 * The variables of inputs that a step reads in these environments, in order. The reader looks by itself at each input that
 * may not be empty: that look does not count.
 */
export async function inputsRead(
  environments: readonly Environment[],
  neverEmpty: object,
  readWatched: (env: Environment) => Promise<unknown>,
): Promise<readonly string[]> {
  const looks = new Map(Object.keys(neverEmpty).map((name) => [inputVariable(name), -environments.length]));
  for (const env of environments) {
    const watched = new Proxy(env, {
      get(target, name) {
        if (typeof name === "string" && name.startsWith("INPUT_")) looks.set(name, (looks.get(name) ?? 0) + 1);
        return Reflect.get(target, name) as unknown;
      },
    });
    await readWatched(watched).catch(() => undefined);
  }
  return [...looks].flatMap(([name, count]) => (count > 0 ? [name] : [])).sort();
}

/** The variable in which the runner hands over an input. */
export function inputVariable(name: string): string {
  return `INPUT_${name.toUpperCase()}`;
}

/** The error of inputs that cannot be used. */
export async function inputsErrorOf(reading: Promise<unknown>): Promise<InputsError> {
  const outcome = await reading.catch((error: unknown) => error);
  if (!(outcome instanceof InputsError)) expect.fail("the inputs were accepted");
  return outcome;
}

/** What is wrong with inputs, as lines `input: message`. */
export async function faultsOf(reading: Promise<unknown>): Promise<readonly string[]> {
  return (await inputsErrorOf(reading)).faults.map(({ input, message }) => `${input}: ${message}`);
}

/** The environment in which the runner starts a step: each declared input is there, with its default or empty. */
export function environment(inputs: Inputs, more: Record<string, string> = {}): Record<string, string> {
  // The runner works out the expression of a default; these tests have no token.
  return { ...inputVariables({ ...DEPLOY_ACTION_INPUTS.defaults, "github-token": "", ...inputs }), ...more };
}

/** Reads a step that deploys, and whose inputs work apart from those that are given here. */
export async function read(
  inputs: Inputs = {},
  more: Record<string, string> = {},
): Promise<DeployInputs & ReportSettings> {
  const step = await readStep(inputs, more);
  if (step.task === "follow") expect.fail("the step deploys nothing");
  return step;
}

/** Reads a step of any kind. */
export async function readStep(
  inputs: Inputs,
  more: Record<string, string> = {},
): Promise<(DeployInputs | FollowInputs) & ReportSettings> {
  const { workspace, temp } = await makeRunner();
  const step = await optionsOf(
    deployStep,
    environment({ ...WORKING, ...inputs }, { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, ...more }),
  );
  if (step.task === "skip") expect.fail("the step is skipped");
  return step;
}

/** The error of a step that cannot be read. */
export async function errorOf(inputs: Inputs, more: Record<string, string> = {}): Promise<InputsError> {
  return await inputsErrorOf(read(inputs, more));
}

/** The faults of a step as lines `input: message`. */
export async function faults(inputs: Inputs, more: Record<string, string> = {}): Promise<readonly string[]> {
  return await faultsOf(read(inputs, more));
}

/** What a request to a service would be: its address and its headers. */
export function sentTo(service: Endpoint | "local" | undefined) {
  if (!(service instanceof Endpoint)) return service;
  return { url: service.url.href, ...service.request("").headers };
}
