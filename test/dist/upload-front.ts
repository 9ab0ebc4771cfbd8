import { timeLapse } from "../fault/time-lapse.ts";
import { runAction, type ActionOptions } from "../runner/runner.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { status, type Fault } from "../wire/faults.ts";
import { forwardTo } from "../wire/forward.ts";
import { UPLOAD_PATH, uploadStep } from "./upload-step.ts";

// Pauses pass so many times as fast.
const FACTOR = 40;

/** The requests that upload. */
export const POST = { method: "POST" };

/** The body of an error of the service. */
export const detail = (text: string) => ({ body: { detail: text } });

/** A step whose service stands behind a fault server. */
export async function behindFaults() {
  const step = await uploadStep();
  const front = await startFaultServer(forwardTo(() => step.service.url));
  const options = (inputs: Readonly<Record<string, string>> = {}, more: Partial<ActionOptions> = {}) =>
    step.options({ "base-url": front.url, ...inputs }, { env: timeLapse(FACTOR), ...more });
  return { ...step, front, options, target: `POST ${front.url}${UPLOAD_PATH}` };
}

interface Meeting {
  readonly inputs?: Readonly<Record<string, string>>;
  /** The name of an experiment that another run has stored. */
  readonly before?: string;
  /** How many posts meet the fault; one if absent. */
  readonly times?: number;
  /** False for a service that has no list of experiments. */
  readonly list?: boolean;
}

/** Runs a step whose first post meets this fault, and answers it with what stands in the service then. */
export async function meet(fault: Fault, { inputs = {}, before, times = 1, list = true }: Meeting = {}) {
  const { options, front, stored, target } = await behindFaults();
  if (before !== undefined) {
    await runAction(options({ "experiment-name": before }, { env: { GITHUB_RUN_ID: "3" } }));
    front.reset();
  }
  front.script(POST, fault, times);
  if (!list) front.script({ path: /\/sessions$/ }, status(404), 99);
  const result = await runAction(options({ timeout: "60s", ...inputs }));
  return { result, posts: front.count(POST), stored: await stored(), target, url: front.url };
}
