import * as z from "zod";
import { anyObject, someText, texts } from "./contract/call-arguments.ts";
import { shapesOf, spelt, withDefaults, type OptionFault } from "./contract/options.ts";
import type { GivenDeployOptions } from "./deployment/given-options.ts";
import { checkSmokeRun } from "./deployment/option-rules.ts";
import { PATIENCE_OPTIONS } from "./deployment/options.ts";
import type { Patience, SmokeRun } from "./deployment/request.ts";

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

// A program gives what belongs to a run of the agent in one object.
const ARGUMENTS = new Map([
  ["smokeInput", "smokeRun"],
  ["smokeGraph", "smokeRun.graph"],
  ["smokeExpect", "smokeRun.expect"],
]);
const argumentOf = (name: string) => ARGUMENTS.get(name) ?? name;

/** Faults of options as a call reports them. */
export function argumentFaults(faults: readonly OptionFault[]): readonly string[] {
  return faults.map(({ field, key, message }) => {
    const name = key === undefined ? argumentOf(field) : `${field}.${key}`;
    return `\`${name}\` ${spelt(message, argumentOf)}`;
  });
}
