import { deployStep } from "../../../../../action/deploy/step.ts";
import { optionsOf } from "../../../hosted.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inputVariables, makeRunner } from "../../../options/step.ts";

const REVISION = "7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11";
const DEPLOYMENT = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** The text of a step in a workspace with the directory `agents/support`, whose event is that of a pull request. */
async function taskOf(inputs: Readonly<Record<string, string>>, event: object = {}): Promise<string> {
  const { workspace, temp } = await makeRunner();
  await mkdir(join(workspace, "agents/support"), { recursive: true });
  await writeFile(join(temp, "event.json"), JSON.stringify(event));
  const github = { GITHUB_REPOSITORY: "octo-org/octo-repo", GITHUB_EVENT_PATH: join(temp, "event.json") };
  const given = { name: "support", "control-plane-url": "local", "github-token": "ghs_0123456789", ...inputs };
  return deployStep.reporting.task(
    await optionsOf(deployStep, {
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
      ...github,
      ...inputVariables(given),
    }),
  );
}

test.each<[Readonly<Record<string, string>>, string]>([
  [{}, "deploy of directory . as support"],
  [{ path: "agents/support" }, "deploy of directory agents/support as support"],
  [{ "image-uri": "registry.example/agent:1" }, "deploy of image registry.example/agent:1 as support"],
  [{ "repo-ref": "main" }, "deploy of branch main as support"],
  [{ "repo-ref": "refs/heads/none" }, "deploy of branch none as support"],
  [{ "repo-ref": "refs/tags/v1", "source-config": "build_on_push: false" }, "deploy of tag v1 as support"],
  [{ name: "", "deployment-id": DEPLOYMENT }, `deploy of directory . as deployment ${DEPLOYMENT}`],
  [{ "dry-run": "true" }, "deploy of directory . as support; dry run, writes nothing"],
  [{ "rollback-to": "previous" }, "rollback of support to the previous source"],
  [{ "rollback-to": REVISION }, `rollback of support to revision ${REVISION}`],
  [
    { "rollback-to": REVISION, "dry-run": "true" },
    `rollback of support to revision ${REVISION}; dry run, writes nothing`,
  ],
  [{ "revision-id": REVISION }, `wait for revision ${REVISION} of support; deploys nothing`],
  [{ preview: "true", "pull-request": "7" }, "preview of pull request #7, from directory ."],
  [
    { preview: "true", "image-uri": "a:1", "dry-run": "true" },
    "preview of the pull request of this run, from image a:1; dry run, writes nothing",
  ],
])("%j is said to be: %s", async (inputs, text) => {
  expect(await taskOf(inputs)).toBe(text);
});

test("a preview is said to be of the pull request that the event names", async () => {
  const event = { pull_request: { number: 12, head: {}, base: {} } };
  expect(await taskOf({ preview: "true" }, event)).toBe("preview of pull request #12, from directory .");
});
