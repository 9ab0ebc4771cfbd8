import { parseExpectation } from "../../src/deployment/expectation.ts";
import type { SmokeRun } from "../../src/deployment/request.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { DeployInputName } from "./declared-inputs.ts";
import { readMapping } from "./yaml-mapping.ts";

/** The run that tries the agent in the smoke test; undefined when the input is empty or invalid. */
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
      if (reader.isChanged(name)) reader.fault(name, "has no effect without `smoke-input`");
    }
    return undefined;
  }
  if (!smokeTest) reader.fault("smoke-input", "needs the smoke test; remove `smoke-test: false`");
  // Such a step only starts a revision, and never calls its agent.
  if (/^false$/i.test(reader.text("wait"))) {
    reader.fault("smoke-input", "needs a step that waits; remove `wait: false`");
  }
  return input === undefined ? undefined : { input, expect, ...(graph === undefined ? {} : { graph }) };
}
