import { describe, expect, test } from "vitest";
import type { LocalService } from "../../src/local/index.ts";
import { example, needsAct, rig, SECRETS } from "./rig.ts";

needsAct();

/** The tarball of each revision of a deployment that was live, newest first. */
function tarballs(service: LocalService, name: string): readonly (string | null)[] {
  const { id } = service.deployments().find((deployment) => deployment.name === name) ?? { id: "" };
  return service
    .revisions(id)
    .flatMap(({ status, source_revision_config: { source_tarball_path: path } }) =>
      status === "DEPLOYED" ? [path] : [],
    );
}

/** Promotes by a push only, so that the rollback alone is what a person starts. */
async function promotion(): Promise<string> {
  return (await example("promote.yml")).replace("  workflow_dispatch:\n", "");
}

// A cache never changes what has its key, so each run needs an id.
const attempt = (id: number, event = "push") => ({ event, env: { GITHUB_RUN_ID: String(id) } });

describe("promote.yml", () => {
  test("deploys to production what it has deployed to staging, and rollback.yml takes production back", async () => {
    const { run, service, commit } = await rig([await promotion(), await example("rollback.yml")]);
    for (const [index, words] of ["First words.\n", "Other words.\n"].entries()) {
      await commit("agent/README.md", words);
      const { exitCode, log } = await run(attempt(index + 1));
      expect(exitCode, log.text).toBe(0);
      const [staging, production] = ["staging", "production"].map((job) => log.outputs("deploy", `Promote/${job}`));
      expect(production).toMatchObject({ outcome: "deployed", "source-digest": staging?.["source-digest"] });
      expect(log.leaked(SECRETS)).toEqual([]);
    }
    const staged = tarballs(service, "support-agent-staging");
    const [second, first] = tarballs(service, "support-agent");
    const { exitCode, log } = await run(attempt(3, "workflow_dispatch"));
    expect(exitCode, log.text).toBe(0);
    expect(log.text).toMatch(/support-agent is rolled back to revision /);
    expect(tarballs(service, "support-agent")).toEqual([first, second, first]);
    expect(tarballs(service, "support-agent-staging")).toEqual(staged);
    expect(log.leaked(SECRETS)).toEqual([]);
  });

  test.each([
    [
      "other files than those on staging",
      (text: string) => text.replace("needs.staging.outputs.digest", `'sha256:${"0".repeat(64)}'`),
      /The expected digest is sha256:0+, but the source has sha256:[0-9a-f]{64}/,
    ],
    [
      "anything without a digest of staging",
      (text: string) => text.replace("outputs.source-digest", "outputs.digest"),
      /expected-digest is empty/,
    ],
  ])("never deploys %s to production", async (_, change, why) => {
    const { run, service } = await rig([change(await promotion())]);
    const { exitCode, log } = await run();
    expect(exitCode).toBe(1);
    expect(log.annotations("error").join("\n")).toMatch(why);
    expect(service.deployments().map(({ name }) => name)).toEqual(["support-agent-staging"]);
  });
});
