import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { readmeWorkflows } from "../../scripts/readme-workflows.ts";
import type { LocalService } from "../../src/local/index.ts";
import type { ActRun } from "./act.ts";
import { example, needsAct, rig, SECRETS } from "./rig.ts";

needsAct();

const writes = ({ requests }: LocalService) =>
  requests.filter(({ server, method }) => server === "service" && method !== "GET");
const attempt = (id: number) => ({ env: { GITHUB_RUN_ID: String(id) } });

describe.each([
  ["examples/workflows/unchanged.yml", () => example("unchanged.yml"), "agent/README.md"],
  ["the recipe", recipe, "README.md"],
])("a deploy record in a cache, as in %s,", (_where, text, changed) => {
  test("lets a second run find its source live, and a changed source be deployed", async () => {
    const { run, commit, service } = await rig([await text()]);
    const first = await run(attempt(1));
    expect(first.exitCode, first.log.text).toBe(0);
    expect(outputs(first)).toMatchObject({ outcome: "deployed", created: "true" });
    const sent = writes(service).length;

    const second = await run(attempt(2));
    expect(second.exitCode, second.log.text).toBe(0);
    expect(outputs(second)).toMatchObject({ outcome: "unchanged", "revision-id": outputs(first)["revision-id"] });
    expect(writes(service)).toHaveLength(sent);

    await commit(changed, "Other words.\n");
    const third = await run(attempt(3));
    expect(outputs(third)).toMatchObject({ outcome: "deployed", "deployment-id": outputs(first)["deployment-id"] });
    expect(outputs(third)["revision-id"]).not.toBe(outputs(first)["revision-id"]);
    expect([first, second, third].flatMap(({ log }) => log.leaked(SECRETS))).toEqual([]);
  });

  test("lets the run after a cancelled one continue with its revision", async () => {
    const { start, run, service } = await rig([await text()]);
    service.faults.nextRevision({ hold: "BUILDING" });
    const cancelled = start(attempt(1));
    const looks = () => service.requests.filter(({ method, path }) => method === "GET" && path.includes("/revisions/"));
    await expect.poll(() => looks().length, { timeout: 30_000 }).toBeGreaterThan(2);
    cancelled.cancel();
    const first = await cancelled.result;
    expect(first.exitCode, first.log.text).not.toBe(0);
    // The example pins a commit, and the recipe a tag.
    expect(first.log.stages()).toContainEqual(expect.stringMatching(/^Main actions\/cache\/save@\w+: success$/));
    const sent = writes(service).length;

    service.faults.clear();
    const second = await run(attempt(2));
    expect(second.exitCode, second.log.text).toBe(0);
    expect(writes(service)).toHaveLength(sent);
    const latest = service.revisions(service.deployments()[0]?.id ?? "")[0];
    expect(latest?.status).toBe("DEPLOYED");
    expect(outputs(second)["revision-id"]).toBe(latest?.id);
  });
});

/** The outputs of our step: it has an id, or is the third one. */
function outputs({ log }: ActRun) {
  return { ...log.outputs("2"), ...log.outputs("deploy") };
}

async function recipe(): Promise<string> {
  const page = await readFile(join(projectRoot, "docs/recipes.md"), "utf8");
  const found = readmeWorkflows(page).find(({ text }) => text.includes("deploy-record:"));
  if (found === undefined) throw new Error("docs/recipes.md shows no workflow with a deploy-record");
  return found.text;
}
