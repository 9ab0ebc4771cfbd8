import { describe, expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import { StaleReads } from "../wire/stale-reads.ts";
import { step } from "./step.ts";

/** A deployment that is live, and a step that deploys to it once more. */
async function second() {
  const { options, service } = await step();
  const first = await runAction(options());
  return { options, service, reads: new StaleReads(service), before: first.outputs.get("revision-id") ?? "" };
}

describe("a deploy behind copies that lag and caches", () => {
  test("is green when the deployment names the revision before ours at first, in upper case", async () => {
    const { options, service, reads, before } = await second();
    reads.deployment({ latest_revision_id: before.toUpperCase() }, 3);
    const result = await runAction(options({ "on-superseded": "succeed" }));
    expect(result).toMatchObject({ exitCode: 0, leaked: [], faults: [] });
    expect(result.outputs.get("outcome")).toBe("deployed");
    expect(result.outputs.get("revision-id")).toBe(service.deployments()[0]?.latest_revision_id);
    expect(result.annotations).toEqual([]);
  });

  test("is not green while ours is being built and the revision before is answered in its place", async () => {
    const { options, service, reads, before } = await second();
    service.faults.nextRevision({ hold: "BUILDING" });
    reads.revision({ id: before, status: "DEPLOYED" }, { skip: 1 });
    const result = await runAction(options({ timeout: "2s" }));
    expect(result.exitCode).toBe(1);
    expect(result.outputs.get("outcome")).toBe("timed-out");
    expect(result.outputs.get("revision-id")).not.toBe(before);
  });
});
