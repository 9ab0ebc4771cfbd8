import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LocalService } from "../../src/local/index.ts";
import { runAction } from "../runner/runner.ts";
import { withStep, step, UUID } from "./step.ts";

const RECORD = { "deploy-record": ".graph-deploy/record.json", secrets: "MODEL_API_KEY=sk-very-secret-value" };
const writes = ({ requests }: LocalService) =>
  requests.filter(({ server, method }) => server === "service" && method !== "GET").length;

describe("with a deploy record", () => {
  test("a source that is live already ends as unchanged, and the record holds no secret", async () => {
    const { options, service, workspace } = await step();
    const first = await runAction(options(RECORD));
    const sent = writes(service);
    const second = await runAction(options(RECORD));
    expect(second).toMatchObject({ exitCode: 0, leaked: [], faults: [], leftInTemp: [] });
    expect(writes(service)).toBe(sent);
    expect(Object.fromEntries(second.outputs)).toEqual({
      ...Object.fromEntries(first.outputs),
      created: "false",
      outcome: "unchanged",
      "duration-seconds": expect.stringMatching(/^\d+\.\d+$/) as string,
    });
    const id = first.outputs.get("revision-id") ?? "";
    expect(second.log).toContainEqual(expect.stringMatching(`^Record +revision ${id} of this source is live`));
    expect(second.log.at(-1)).toMatch(/^Done +support-agent is unchanged after .*: revision .* is live$/);
    expect(second.summary).toContain("support-agent is unchanged");
    expect(await readFile(join(workspace, ".graph-deploy/record.json"), "utf8")).not.toContain("very-secret");
  });

  withStep("a run that timed out continues where it was", async ({ options, service }) => {
    service.faults.nextRevision({ hold: "BUILDING" });
    const first = await runAction(options({ ...RECORD, timeout: "1s" }));
    expect(first.outputs.get("outcome")).toBe("timed-out");
    const [sent, before] = [writes(service), service.requests.length];
    const running = runAction(options(RECORD));
    const looks = () => service.requests.slice(before).filter(({ path }) => path.includes("/revisions/"));
    await expect.poll(() => looks().length).toBeGreaterThan(1);
    service.faults.clear();
    const second = await running;
    expect(second.exitCode).toBe(0);
    expect(writes(service)).toBe(sent);
    expect(second.outputs.get("revision-id")).toBe(first.outputs.get("revision-id"));
    expect(second.outputs.get("outcome")).toBe("deployed");
    expect(second.summary).not.toContain("Changes since the previous revision");
  });
});

describe("without a deploy record", () => {
  withStep("a run that is repeated makes a new revision, and says so", async ({ options }) => {
    const first = await runAction(options());
    const second = await runAction(options({}, { env: { GITHUB_RUN_ATTEMPT: "2" } }));
    expect(second.log).toContainEqual(expect.stringMatching(/^Record .*`deploy-record`.* attempt 1 /));
    expect(second.outputs.get("revision-id")).toMatch(UUID);
    expect(second.outputs.get("revision-id")).not.toBe(first.outputs.get("revision-id"));
  });

  withStep("revision-id only waits, and needs no checkout", async ({ options, service, temp }) => {
    const first = await runAction(options({ wait: "false" }));
    const sent = writes(service);
    const id = first.outputs.get("revision-id") ?? "";
    const second = await runAction(options({ "revision-id": id }, { workspace: temp }));
    expect(second).toMatchObject({ exitCode: 0, faults: [] });
    expect(writes(service)).toBe(sent);
    expect(Object.fromEntries(second.outputs)).toMatchObject({
      "deployment-id": first.outputs.get("deployment-id"),
      "revision-id": id,
      outcome: "deployed",
      status: "DEPLOYED",
      created: "false",
      "source-digest": "",
    });
  });
});
