import { isDeepStrictEqual } from "node:util";
import { countOf } from "../src/text/number.ts";
import type { Diagnostic, PulumiStack, RunResult, StepOp } from "../test/engine/stack.ts";
import { heading, print } from "./demo-screen.ts";

/** One command of the walk, and how it must end. */
export interface DemoStep {
  readonly command: "destroy" | "preview" | "refresh" | "up";
  /** What the demo prints before it. */
  readonly about: string;
  /** How often each operation happens. */
  readonly changes: RunResult["changes"];
  /** How many revisions it makes. */
  readonly revisions: number;
  /** How many requests it may send; any number if not given. */
  readonly requests?: number;
  /** Something that happens before it. */
  readonly before?: () => Promise<void>;
}

/** How much the service was asked for so far. */
export interface Tally {
  readonly requests: number;
  readonly revisions: number;
}

const SIGNS: Readonly<Partial<Record<StepOp, string>>> = { create: "+", update: "~", delete: "-", replace: "+-" };
// The full type of a dynamic resource means nothing to a reader.
const shortType = (type: string) => type.slice(type.lastIndexOf(":") + 1);

/** Runs a command of the walk and prints what a person wants to see of it; true when it ended as it must. */
export async function runStep(stack: PulumiStack, step: DemoStep, tally: () => Tally): Promise<boolean> {
  heading(`pulumi ${step.command}: ${step.about}`);
  const before = tally();
  const begin = performance.now();
  const result = await stack[step.command]({ onLog: printLine });
  const seconds = (performance.now() - begin) / 1000;
  const after = tally();
  const requests = after.requests - before.requests;
  const revisions = after.revisions - before.revisions;
  print(result.steps.map(({ op, found = op, type, name }) => `${sign(found)} ${shortType(type).padEnd(15)} ${name}`));
  print(Object.entries(result.outputs).map(([name, value]) => `  ${name.padEnd(15)} ${String(value)}`));
  print([`  ${countOf(requests, "request")}, ${countOf(revisions, "new revision")}, ${seconds.toFixed(1)} s`]);
  const faults = [
    ...(result.ok ? [] : ["it failed"]),
    ...(isDeepStrictEqual(result.changes, step.changes) ? [] : [`it did ${JSON.stringify(result.changes)}`]),
    ...(revisions === step.revisions ? [] : [`it made ${countOf(revisions, "new revision")}`]),
    ...(step.requests === undefined || requests === step.requests ? [] : [`it sent ${countOf(requests, "request")}`]),
  ];
  if (faults.length > 0) print([`This is not what should happen: ${faults.join("; ")}.`]);
  return faults.length === 0;
}

function printLine({ severity, message }: Diagnostic): void {
  if (message === "") return;
  print([severity === "info" ? `  ${message}` : `  ${severity}: ${message}`]);
}

function sign(op: StepOp): string {
  return (SIGNS[op] ?? "").padStart(2);
}
