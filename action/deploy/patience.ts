import { parseExpectation } from "../../src/deployment/expectation.ts";
import type { Patience, SmokeRun } from "../../src/deployment/request.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import { TIMEOUT_BOUNDS } from "../inputs/quantity.ts";
import type { DeployInputName } from "./declared-inputs.ts";
import { readMapping } from "./yaml-mapping.ts";

const LONGEST_PAUSE_MILLISECONDS = 3_600_000;

/** How a revision is seen through. */
export function readPatience(reader: InputReader<DeployInputName>): Patience {
  const patience = {
    timeoutMilliseconds: reader.duration("timeout", TIMEOUT_BOUNDS),
    pollCapMilliseconds: reader.duration("poll-interval", { ...TIMEOUT_BOUNDS, most: LONGEST_PAUSE_MILLISECONDS }),
    onSuperseded: reader.choice("on-superseded", ["fail", "succeed"]),
    smokeTest: reader.boolean("smoke-test"),
  };
  const smokeRun = readSmokeRun(reader, patience.smokeTest);
  return smokeRun === undefined ? patience : { ...patience, smokeRun };
}

/** The run that tries the agent in the smoke test; undefined when the input is empty or invalid. */
function readSmokeRun(reader: InputReader<DeployInputName>, smokeTest: boolean): SmokeRun | undefined {
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
