import type { Patience } from "../../src/deployment/request.ts";
import { TIMEOUT_BOUNDS } from "../inputs/duration.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import type { DeployInputName } from "./declared-inputs.ts";
import { readSmokeRun } from "./smoke-run.ts";

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
