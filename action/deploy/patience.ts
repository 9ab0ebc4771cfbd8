import type { Patience } from "../../src/deployment/request.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import type { DeployInputName } from "./declared-inputs.ts";

// A week is more than any runner waits, and well below the 24.8 days after which a timer of Node overflows.
const LONGEST_WAIT_MILLISECONDS = 7 * 24 * 3_600_000;
const LONGEST_PAUSE_MILLISECONDS = 3_600_000;
const SHORTEST_MILLISECONDS = 100;

/** How a revision is seen through. */
export function readPatience(reader: InputReader<DeployInputName>): Patience {
  const least = SHORTEST_MILLISECONDS;
  return {
    timeoutMilliseconds: reader.duration("timeout", { least, most: LONGEST_WAIT_MILLISECONDS }),
    pollCapMilliseconds: reader.duration("poll-interval", { least, most: LONGEST_PAUSE_MILLISECONDS }),
    onSuperseded: reader.choice("on-superseded", ["fail", "succeed"]),
    smokeTest: reader.boolean("smoke-test"),
  };
}
