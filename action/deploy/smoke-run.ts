import { parseExpectation } from "../../src/deployment/expectation.ts";
import type { SmokeRun } from "../../src/deployment/request.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { DeployInputName } from "./declared-inputs.ts";
import { readMapping } from "./yaml-mapping.ts";

/** The run by which the smoke test tries the agent; undefined when none is asked for, or after a fault. */
export function readSmokeRun(reader: InputReader<DeployInputName>, smokeTest: boolean): SmokeRun | undefined {
  const input = readMapping(reader, "smoke-input", "question: What can you do?");
  const graph = reader.line("smoke-graph");
  const expect = reader.lines("smoke-expect").map((line) => line.trim());
  for (const line of expect) {
    const reading = parseExpectation(line);
    if (!reading.ok) reader.fault("smoke-expect", `${quoted(line)} ${reading.fault}`);
  }
  if (!reader.isChanged("smoke-input")) {
    for (const name of ["smoke-graph", "smoke-expect"] as const) {
      if (reader.isChanged(name)) reader.fault(name, "belongs to a run of the agent; give its input as smoke-input");
    }
    return undefined;
  }
  if (!smokeTest) reader.fault("smoke-input", "belongs to the smoke test; leave out smoke-test: false");
  // A step that only starts a revision, and does not ask its agent.
  if (/^false$/i.test(reader.text("wait"))) {
    reader.fault("smoke-input", "belongs to a step that waits; leave out wait: false");
  }
  return input === undefined ? undefined : { input, expect, ...(graph === undefined ? {} : { graph }) };
}
