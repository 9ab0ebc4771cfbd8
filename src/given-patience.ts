import * as z from "zod";
import { anyObject, someText, texts } from "./contract/argument-shapes.ts";
import { shapesOf, withDefaults } from "./contract/options.ts";
import type { GivenDeployOptions } from "./deployment/given-options.ts";
import { checkSmokeRun } from "./deployment/option-rules.ts";
import { PATIENCE_OPTIONS } from "./deployment/options.ts";
import type { Patience, SmokeRun } from "./deployment/request.ts";
import { argumentFaults } from "./given-faults.ts";

/** One run of the live agent, and what its answer must contain. */
export interface GivenSmokeRun extends Omit<SmokeRun, "expect"> {
  /** Expectations, a line each, which all must hold; none when not given. */
  readonly expect?: readonly string[] | undefined;
}

/** How long to wait for a revision, and what to check; each has a default. */
export interface GivenPatience extends Pick<GivenDeployOptions, keyof typeof PATIENCE_OPTIONS> {
  /** Also run the agent once. */
  readonly smokeRun?: GivenSmokeRun | undefined;
}

/** The shapes of its fields. */
export const PATIENCE_SHAPES = {
  ...shapesOf(PATIENCE_OPTIONS),
  smokeRun: z
    .strictObject({ input: anyObject, graph: someText.optional(), expect: texts.optional() }, "must be an object")
    .optional(),
};

/** The patience with its defaults; a smoke run that cannot take place is added to `faults`. */
export function readPatience(given: GivenPatience, { wait }: { readonly wait: boolean }, faults: string[]): Patience {
  const { smokeRun: run, ...rest } = given;
  const patience = withDefaults(PATIENCE_OPTIONS, rest);
  const { expect = [] } = run ?? {};
  faults.push(...argumentFaults(checkSmokeRun(expect, run && { ...patience, wait }, "a deploy")));
  return run ? { ...patience, smokeRun: { ...run, expect } } : patience;
}
