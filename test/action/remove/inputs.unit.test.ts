import { secretsOf } from "../../../front/steps/run-step.ts";
import { removeStep } from "../../../action/remove/step.ts";
import { hostOf, optionsOf } from "../../front/hosted.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { REMOVE_INPUTS, type RemoveInputName } from "../../../action/remove/options.ts";
import { removeReporting } from "../../../action/remove/report.ts";
import { faultsOf, inputVariables } from "../../front/options/step.ts";

const WORKING = {
  ...REMOVE_INPUTS.defaults,
  "control-plane-url": "https://control.example",
  "api-key": "key-0123",
  "github-token": "ghs_0123456789",
  name: "support",
};
const DAY = 24 * 3_600_000;

type Inputs = Partial<Record<RemoveInputName, string>>;

/** The environment of a step whose inputs work apart from those that are given here. */
async function environment(inputs: Inputs, event: object, more: Readonly<Record<string, string>>) {
  const temp = await mkdtemp(join(tmpdir(), "remove-inputs-"));
  onTestFinished(() => rm(temp, { recursive: true, force: true }));
  await writeFile(join(temp, "event.json"), JSON.stringify(event));
  return {
    ...{ RUNNER_TEMP: temp, GITHUB_EVENT_PATH: join(temp, "event.json"), GITHUB_REPOSITORY: "octo-org/octo-repo" },
    ...more,
    ...inputVariables({ ...WORKING, ...inputs }),
  };
}

const read = async (inputs: Inputs, more: Readonly<Record<string, string>> = {}, event: object = {}) =>
  await optionsOf(removeStep, await environment(inputs, event, more));

/** The faults of a step as lines `input: message`. */
async function faults(inputs: Inputs, more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  return await faultsOf(read(inputs, more));
}

test.each<[string, Inputs, Readonly<Record<string, string>>, object]>([
  ["the input", { "pull-request": "7" }, {}, {}],
  ["a run by hand with the input", { "pull-request": "7" }, { GITHUB_EVENT_NAME: "workflow_dispatch" }, {}],
  ["the event", {}, { GITHUB_EVENT_NAME: "pull_request_target" }, { pull_request: { number: 7, head: {}, base: {} } }],
  ["a comment", {}, { GITHUB_EVENT_NAME: "issue_comment" }, { issue: { number: 7, pull_request: {} } }],
])("the pull request comes from %s", async (_, inputs, more, event) => {
  expect(await read(inputs, more, event)).toMatchObject({ task: "remove", which: { pullRequest: 7 } });
});

test.each<[string, Inputs, Readonly<Record<string, string>>]>([
  ["a schedule", {}, { GITHUB_EVENT_NAME: "schedule" }],
  ["a run by hand", {}, { GITHUB_EVENT_NAME: "workflow_dispatch" }],
  ["the input", { all: "true" }, { GITHUB_EVENT_NAME: "push" }],
])("all previews are looked at by %s", async (_, inputs, more) => {
  const limits = { "max-age": "14d", "max-count": "5" };
  expect(await read({ ...inputs, ...limits }, more)).toMatchObject({
    which: { pullRequest: undefined, maxAgeMilliseconds: 14 * DAY, maxCount: 5 },
  });
});

test("what is not given has a default that removes little", async () => {
  expect(await read({ "pull-request": "7" })).toMatchObject({
    stem: { stem: "support", limit: 63 },
    isOnlyOwner: false,
    mayBeMissing: true,
    timeoutMilliseconds: 600_000,
  });
});

test("all faults are reported at once", async () => {
  const wrong: Inputs = { name: "Support", "preview-name-limit": "12", "max-age": "2 weeks", all: "true" };
  expect(
    (await faults({ ...wrong, "if-missing": "warn", "only-owner": "yes" })).map((fault) => fault.split(":")[0]),
  ).toEqual(["preview-name-limit", "name", "max-age", "only-owner", "if-missing"]);
});

test.each<[Inputs, string]>([
  [{}, "pull-request: is missing, and the event names none; or set `all: true`"],
  [{ "pull-request": "7", all: "true" }, "pull-request: cannot be combined with `all`"],
  [{ "pull-request": "7", "max-count": "3" }, "max-count: has no effect without `all`"],
  [{ "pull-request": "7", "max-age": "3d" }, "max-age: has no effect without `all`"],
  [{ "pull-request": "0" }, 'pull-request: "0" must be a positive integer, or auto'],
  [
    { "pull-request": "7", "github-token": "" },
    "github-token: is required: without it, the step cannot find out whether a pull request is open",
  ],
])("%j is a fault", async (inputs, fault) => {
  expect(await faults(inputs)).toEqual([fault]);
});

test("the log begins with which previews may be removed", async () => {
  expect(removeReporting.task(await read({ "pull-request": "7" }))).toBe(
    "removal of the preview of pull request #7 of support",
  );
  expect(removeReporting.task(await read({ all: "true", "dry-run": "true" }))).toBe(
    "removal of all previews of support that are no longer needed; dry run, writes nothing",
  );
  const fork = { head: { repo: { full_name: "them/repo" } }, base: { repo: { full_name: "octo-org/octo-repo" } } };
  // Such a run may have nothing of what its inputs hand on.
  const skipped = await read({ "dry-run": "" }, { GITHUB_EVENT_NAME: "pull_request" }, { pull_request: fork });
  expect(removeReporting.task(skipped)).toBe("removal of the preview of a pull request");
});

test("a key that is in the wrong input is not repeated", async () => {
  const env = await environment({ name: "key-0123", "pull-request": "x" }, {}, {});
  expect(secretsOf(removeStep, hostOf(env))).toEqual(expect.arrayContaining(["key-0123", "ghs_0123456789"]));
  expect((await faults({ name: "key-0123!" })).join("\n")).not.toContain("key-0123");
});
