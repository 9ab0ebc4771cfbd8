import type { InputReader } from "../inputs/input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import { DEPLOY_INPUTS, type DeployInputName } from "./declared-inputs.ts";
import { isUuid } from "../../src/contract/uuid.ts";

/** The inputs of a step that only waits for a revision. */
const INPUTS_OF_A_WAIT: ReadonlySet<string> = new Set<DeployInputName>([
  "control-plane-url",
  "api-key",
  "bearer-token",
  "tenant-id",
  "name",
  "deployment-id",
  "revision-id",
  "timeout",
  "poll-interval",
  "on-superseded",
  "smoke-test",
  "smoke-input",
  "smoke-graph",
  "smoke-expect",
  "job-summary",
  "ca-certificate",
  "field-names",
  "allow-http",
]);

/** The revision to wait for; undefined for a step that deploys. */
export function readRevisionId(reader: InputReader<DeployInputName>): string | undefined {
  const revisionId = reader.text("revision-id");
  if (revisionId === "") return undefined;
  if (!isUuid(revisionId)) {
    reader.fault("revision-id", `${quoted(revisionId)} is not a valid UUID; leave it empty to deploy`);
  }
  for (const input of Object.keys(DEPLOY_INPUTS)) {
    if (!isInput(input) || INPUTS_OF_A_WAIT.has(input) || !reader.isChanged(input)) continue;
    reader.fault(input, "cannot be combined with `revision-id`, which only waits for an existing revision");
  }
  return revisionId;
}

function isInput(name: string): name is DeployInputName {
  return Object.hasOwn(DEPLOY_INPUTS, name);
}
