import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { step } from "../../dist/step.ts";
import { stateOf } from "../../github/deployments.ts";
import { forbidden } from "../../github/faults.ts";
import { MAIN_SHA } from "../../github/repository.ts";
import { rig } from "../../github/rig.ts";
import { runAction, startAction } from "../../runner/runner.ts";

/** The built deploy between a service and a GitHub. */
async function world() {
  const { options, service } = await step();
  const { github } = await rig();
  const inputs = { environment: "staging", "github-token": github.token };
  const more = { env: { ...github.env, GITHUB_SHA: MAIN_SHA }, secrets: [github.token] };
  const states = () => github.state.deployments.all.map(stateOf).toReversed();
  return { options: (change = {}) => options({ ...inputs, ...change }, more), service, github, states };
}

describe("the built deploy", () => {
  test("leaves a success with the page of its attempt and the agent's address", async () => {
    const { options, github } = await world();
    const result = await runAction(options());
    expect(result).toMatchObject({ exitCode: 0, leaked: [], faults: [], leftInTemp: [] });
    expect(result.annotations).toEqual([]);
    const statuses = github.state.deployments.all[0]?.statuses;
    expect(statuses?.map(({ state }) => state)).toEqual(["in_progress", "success"]);
    expect(statuses?.at(-1)?.environmentUrl).toBe(result.outputs.get("url"));
    expect(statuses?.at(-1)?.logUrl).toMatch(/\/actions\/runs\/1658821493\/attempts\/1$/);
    expect(result.post).toMatchObject({ exitCode: 0, rawStdout: "" });
    // What main has closed is not read again.
    expect(github.requests.at(-1)?.method).toBe("GET");
    expect(github.count("GET", /\/statuses$/)).toBe(0);
  });

  test("that is killed is closed as an error by its post script", async () => {
    const { options, github, service, states } = await world();
    service.faults.add({
      times: Infinity,
      match: { method: "POST", path: /\/v2\/deployments$/ },
      do: { kind: "stall" },
    });
    const running = await startAction(options());
    await expect.poll(states).toEqual(["in_progress"]);
    await expect.poll(() => service.requests.some(({ method }) => method === "POST")).toBe(true);
    running.signal("SIGKILL");
    const { post } = await running.result;
    expect(states()).toEqual(["error"]);
    expect(post).toMatchObject({ exitCode: 0, leaked: [] });
    expect(github.count("POST")).toBe(3);
  });

  test("that is killed while GitHub makes its record is closed as an error by its post script", async () => {
    const { options, github, states } = await world();
    // It is made, and no response says so.
    github.faults.add({ method: "POST", path: /\/deployments$/ }, { after: () => new Promise(() => undefined) });
    const running = await startAction(options());
    await expect.poll(() => github.state.deployments.all.length).toBe(1);
    expect(states()).toEqual([undefined]);
    running.signal("SIGKILL");
    const { post } = await running.result;
    expect(states()).toEqual(["error"]);
    expect(post).toMatchObject({ exitCode: 0, leaked: [] });
  });

  test("is green with one warning where the token may not write records", async () => {
    const { options, github } = await world();
    github.faults.add({}, forbidden("deployments=write"), Infinity);
    const result = await runAction(options());
    expect(result.exitCode).toBe(0);
    expect(result.annotations).toEqual([
      expect.objectContaining({ type: "warning", message: expect.stringContaining("`deployments: write`") }),
    ]);
    expect(github.requests).toHaveLength(1);
  });

  test.each([
    ["without an environment", { environment: "" }],
    ["as a dry run", { "dry-run": "true" }],
    ["as a rehearsal", { "control-plane-url": "local", "api-key": "" }],
  ])("sends GitHub nothing %s", async (_what, change) => {
    const { options, github } = await world();
    expect(await runAction(options(change))).toMatchObject({ exitCode: 0 });
    expect(github.requests).toEqual([]);
  });

  test("is green with one warning where the event of the run is broken", async () => {
    const { options, github } = await world();
    const plain = options();
    const broken = join(plain.workspace, "graph.json.broken");
    await writeFile(broken, "{");
    const result = await runAction({ ...plain, env: { ...plain.env, GITHUB_EVENT_PATH: broken } });
    expect(result.exitCode).toBe(0);
    expect(result.annotations.filter(({ type }) => type === "warning")).toHaveLength(1);
    expect(github.requests).toEqual([]);
  });
});
