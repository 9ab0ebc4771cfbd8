import * as z from "zod";
import { anyObject, choice, flag, milliseconds, someText, texts } from "./contract/argument-shapes.ts";
import { DEPLOY_DEFAULTS, type Patience, type SmokeRun } from "./deployment/request.ts";
import { parseExpectation } from "./deployment/smoke-plan.ts";
import { quoted } from "./text/quoted.ts";

/** One run of the live agent, and what its answer must contain. */
export interface GivenSmokeRun extends Omit<SmokeRun, "expect"> {
  /** Expectations, a line each, which all must hold; none when not given. */
  readonly expect?: readonly string[] | undefined;
}

/** How long to wait for a revision, and what to check; each has a default. */
export interface GivenPatience {
  /**
   * How long the requests up to the update may take together, from the first one on, and then how long to wait,
   * milliseconds; half an hour when not given. A revision that was begun continues.
   */
  readonly timeoutMilliseconds?: number | undefined;
  /** The longest pause between two looks at the revision, milliseconds; 10,000 when not given. */
  readonly pollCapMilliseconds?: number | undefined;
  /** How the call ends if a newer revision takes the place of its own; `fail` when not given. */
  readonly onSuperseded?: "fail" | "succeed" | undefined;
  /** Check the health and the graphs of the agent; true when not given. */
  readonly smokeTest?: boolean | undefined;
  /** Also run the agent once. */
  readonly smokeRun?: GivenSmokeRun | undefined;
}

/** The shapes of its fields. */
export const PATIENCE_SHAPES = {
  timeoutMilliseconds: milliseconds.optional(),
  pollCapMilliseconds: milliseconds.optional(),
  onSuperseded: choice(["fail", "succeed"]).optional(),
  smokeTest: flag.optional(),
  smokeRun: z
    .strictObject({ input: anyObject, graph: someText.optional(), expect: texts.optional() }, "must be an object")
    .optional(),
};

/** The patience with its defaults; a smoke run that cannot take place is added to `faults`. */
export function readPatience(given: GivenPatience, { wait }: { readonly wait: boolean }, faults: string[]): Patience {
  const { smokeRun: run } = given;
  const smokeTest = given.smokeTest ?? DEPLOY_DEFAULTS.smokeTest;
  if (run !== undefined && !smokeTest)
    faults.push("`smokeRun` is part of the smoke test; leave out `smokeTest: false`");
  if (run !== undefined && !wait) faults.push("`smokeRun` needs a live agent; leave out `wait: false`");
  for (const line of run?.expect ?? []) {
    const reading = parseExpectation(line);
    if (!reading.ok) faults.push(`\`smokeRun.expect\`: ${quoted(line)} ${reading.fault}`);
  }
  return {
    timeoutMilliseconds: given.timeoutMilliseconds ?? DEPLOY_DEFAULTS.timeoutMilliseconds,
    pollCapMilliseconds: given.pollCapMilliseconds ?? DEPLOY_DEFAULTS.pollCapMilliseconds,
    onSuperseded: given.onSuperseded ?? DEPLOY_DEFAULTS.onSuperseded,
    smokeTest,
    ...(run === undefined ? {} : { smokeRun: { ...run, expect: run.expect ?? [] } }),
  };
}
