import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { noList, type LocalService } from "../../../src/local/index.ts";
import { runAction, startAction } from "../../runner/runner.ts";
import { withStep, API_KEY, OF_FORK, step, UUID } from "../../dist/step.ts";
import { nodeOptions } from "../../node-arguments.ts";

const writes = ({ requests }: LocalService) => requests.filter(({ method }) => method !== "GET");
const errors = (result: { readonly annotations: readonly { readonly type: string; readonly message: string }[] }) =>
  result.annotations.filter(({ type }) => type === "error").map(({ message }) => message);

describe("a deploy", () => {
  test("is green, writes every output and the summary, and leaks and leaves nothing", async () => {
    const { options, service } = await step();
    const result = await runAction(options());
    expect(result).toMatchObject({ exitCode: 0, leaked: [], faults: [], leftInTemp: [] });
    expect(result.rawStderr).toBe("");
    const [deployment] = service.deployments();
    expect(Object.fromEntries(result.outputs)).toEqual({
      "deployment-id": deployment?.id,
      "deployment-url": `${service.url}/o/${deployment?.tenant_id ?? ""}/host/deployments/${deployment?.id ?? ""}`,
      "revision-id": deployment?.latest_revision_id,
      status: "DEPLOYED",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      created: "true",
      "source-digest": expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      "source-bytes": "85",
      "source-files": "2",
      "duration-seconds": expect.stringMatching(/^\d+\.\d+$/) as string,
      outcome: "deployed",
      preview: "",
      "pull-request": "",
    });
    expect(result.summary).toContain("support-agent is live");
    expect(result.summary).toContain(result.outputs.get("url"));
    expect(result.summary).toContain(`Deployment and logs: <${result.outputs.get("deployment-url") ?? ""}>`);
    expect(result.post).toMatchObject({ exitCode: 0, rawStdout: "", rawStderr: "" });
  });

  withStep("adds a revision to the deployment that is there", async ({ options, service }) => {
    const first = await runAction(options());
    const second = await runAction(options());
    expect(second.outputs.get("deployment-id")).toBe(first.outputs.get("deployment-id"));
    expect(second.outputs.get("created")).toBe("false");
    expect(second.outputs.get("source-digest")).toBe(first.outputs.get("source-digest"));
    expect(service.deployments()).toHaveLength(1);
  });

  test("at a service without a list creates once and by hand, and else is red before the first write", async () => {
    const { options, service } = await step();
    service.faults.add(noList());
    const byHand = (attempt: string) => ({
      env: { GITHUB_EVENT_NAME: "workflow_dispatch", GITHUB_RUN_ATTEMPT: attempt },
    });
    const pushed = await runAction(options({}, { env: { GITHUB_EVENT_NAME: "push" } }));
    expect(pushed).toMatchObject({ exitCode: 1, rawStderr: "" });
    expect(pushed.log.join("\n")).toMatch(/`deployment-id`.*`create: once`/s);
    expect((await runAction(options({ create: "once" }, byHand("2")))).exitCode).toBe(1);
    expect((await runAction(options({ create: "never" }, byHand("1")))).exitCode).toBe(1);
    expect(writes(service)).toEqual([]);

    const first = await runAction(options({ create: "once" }, byHand("1")));
    expect(first).toMatchObject({ exitCode: 0, rawStderr: "" });
    const id = first.outputs.get("deployment-id") ?? "";
    expect(first.summary).toContain("deployment-id");
    const second = await runAction(options({ create: "once", "deployment-id": id }, byHand("2")));
    expect(second).toMatchObject({ exitCode: 0, rawStderr: "" });
    expect(service.deployments().map((deployment) => deployment.id)).toEqual([id]);
  });

  withStep("prints and writes nothing as a dry run but what would be done", async ({ options, service }) => {
    const result = await runAction(options({ "dry-run": "true" }));
    expect(result.exitCode).toBe(0);
    expect(result.outputs.get("outcome")).toBe("dry-run");
    expect(result.outputs.get("source-digest")).toMatch(/^sha256:/);
    expect(result.log.join("\n")).toContain("Nothing was written.");
    expect(result.log.join("\n")).not.toMatch(/Packed|to upload/);
    expect(writes(service)).toEqual([]);
  });

  withStep("rehearses without an account, with a state that the steps of a job share", async ({ options }) => {
    const local = { "control-plane-url": "local", "api-key": "" };
    const first = await runAction(options(local));
    expect(first.outputs.get("outcome")).toBe("deployed");
    const second = await runAction(options(local));
    expect(second.outputs.get("created")).toBe("false");
    expect(second.outputs.get("deployment-id")).toBe(first.outputs.get("deployment-id"));
    // The pages end with the step.
    expect(first.outputs.get("deployment-url")).toBe("");
    expect(first.summary).not.toContain("http");
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a deploy", {}],
    ["a dry run", { "dry-run": "true" }],
    ["a rehearsal", { "control-plane-url": "local", "api-key": "" }],
  ])("warns in %s of what will not run, as far as the files show it", async (_what, inputs) => {
    const { options, write } = await step();
    await write({ "support.py": "app = 1\n" });
    const result = await runAction(options(inputs));
    expect(result.exitCode).toBe(0);
    expect(result.annotations.filter(({ type }) => type === "warning").map(({ message }) => message)).toEqual([
      'The project may not build or run: graph "support": ./support.py does not seem to define "graph".',
    ]);
  });
});

describe("the files of the workspace", () => {
  withStep("secrets stay home, with a line that says so", async ({ options, service, write }) => {
    await write({
      ".env": "TOKEN=1234567890",
      "server.key": "-----BEGIN PRIVATE KEY-----",
      "deep/.env.production": "A=1",
    });
    const result = await runAction(options());
    expect(result.exitCode).toBe(0);
    expect(result.outputs.get("source-files")).toBe("2");
    expect(result.log.find((line) => line.includes("left out"))).toMatch(/\.env.*secret/);
    expect(service.deployments()).toHaveLength(1);
  });
});

describe("a deploy that does not work is red", () => {
  withStep("a failed build shows its log, which cannot give the runner commands", async ({ options, service }) => {
    const log = [
      "::error::injected",
      "  ::add-mask::support",
      "done ##[add-mask]agent",
      "\u001b[31mred\u001b[0m",
      "| <b> @team",
    ];
    service.faults.nextRevision({ end: "BUILD_FAILED", log });
    const result = await runAction(options());
    expect(result.exitCode).toBe(1);
    expect(result.outputs.get("outcome")).toBe("build-failed");
    expect(result.outputs.get("status")).toBe("BUILD_FAILED");
    expect(errors(result)).toEqual([expect.stringMatching(/^support-agent: revision .* ended as BUILD_FAILED after /)]);
    expect(result.log.join("\n")).toContain("injected");
    const names = new Set(result.commands.map(({ name }) => name));
    expect([...names].sort()).toEqual(["add-mask", "endgroup", "error", "group"]);
    const masks = result.commands.filter(({ name }) => name === "add-mask").map(({ data }) => data);
    expect(masks).not.toContain("support");
    expect(masks).not.toContain("agent");
    expect(result.summary).not.toContain("<b>");
  });

  test.each([
    ["fail", 1],
    ["succeed", 0],
  ])("a superseded revision with on-superseded: %s exits with %i", async (onSuperseded, exitCode) => {
    const { options, service } = await step();
    await runAction(options());
    service.faults.conditions.foreignRevisions = 1;
    const result = await runAction(options({ "on-superseded": onSuperseded }));
    expect(result.exitCode).toBe(exitCode);
    expect(result.outputs.get("outcome")).toBe("superseded");
    expect(result.outputs.get("revision-id")).not.toBe(service.deployments()[0]?.latest_revision_id);
  });

  withStep("a wait that takes too long ends as timed-out", async ({ options, service }) => {
    service.faults.nextRevision({ hold: "BUILDING" });
    const result = await runAction(options({ timeout: "1s" }));
    expect(result.exitCode).toBe(1);
    expect(result.outputs.get("outcome")).toBe("timed-out");
    expect(result.outputs.get("revision-id")).toMatch(UUID);
  });

  withStep("inputs that cannot work are all in one report, before any request", async ({ options, service }) => {
    const result = await runAction(options({ timeout: "soon", "on-superseded": "maybe", path: "does/not/exist" }));
    expect(result.exitCode).toBe(1);
    expect(errors(result)).toHaveLength(1);
    const log = result.log.join("\n");
    for (const input of ["timeout", "on-superseded", "path"]) expect(log).toMatch(new RegExp(`^ *${input} `, "m"));
    expect(result.outputs.get("outcome")).toBe("failed");
    expect(service.requests).toEqual([]);
  });

  withStep("an empty key on the pull request of a fork is explained", async ({ options }) => {
    const result = await runAction(
      options({ "control-plane-url": "https://control-plane.invalid", "api-key": "" }, OF_FORK),
    );
    expect(result.exitCode).toBe(1);
    expect(errors(result)[0]).toMatch(/api-key .*fork/);
  });

  withStep("what the server says never shows the key", async ({ options, service }) => {
    const body = { detail: `The key ${API_KEY} is <b>not</b> known ::error::x` };
    service.faults.add({ match: { path: "/v2/deployments" }, do: { kind: "answer", status: 403, body } });
    const result = await runAction(options());
    expect(result.exitCode).toBe(1);
    expect(result.leaked).toEqual([]);
    expect(result.rawStdout.replace(`::add-mask::${API_KEY}`, "")).not.toContain(API_KEY);
    expect(result.summary).not.toContain(API_KEY);
    expect(result.summary).not.toContain("<b>");
  });

  withStep("a promise that never settles is a failed step, with its outputs", async ({ options, workspace }) => {
    const hang = join(workspace, "hang.mjs");
    await writeFile(
      hang,
      `import fs from "node:fs/promises"; import { syncBuiltinESMExports } from "node:module";
       fs.mkdtemp = () => new Promise(() => {}); syncBuiltinESMExports();`,
    );
    const result = await runAction(options({}, { env: nodeOptions("--import", hang) }));
    expect(result.exitCode).not.toBe(0);
    expect(result.outputs.get("outcome")).toBe("failed");
  });
});

test("outputs that cannot be written fail the step with a sentence, not with a dump of the bundle", async () => {
  const { options, workspace } = await step();
  const lose = join(workspace, "lose.mjs");
  await writeFile(lose, `process.env.GITHUB_OUTPUT = "/nowhere/outputs";`);
  const result = await runAction(options({ "dry-run": "true" }, { env: nodeOptions("--import", lose) }));
  expect(result.exitCode).toBe(1);
  expect(result.rawStderr).toBe("");
  expect(result.rawStdout).toMatch(
    /^::error title=Outputs::The step fails because its outputs could not be written: /m,
  );
});

describe.skipIf(process.platform === "win32")("a run that is cancelled", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "by %s says what is still running in the service, and writes the outputs",
    async (signal) => {
      const { options, service } = await step();
      service.faults.nextRevision({ hold: "BUILDING" });
      const running = await startAction(options());
      await running.line(/BUILDING/);
      running.signal(signal);
      // It ends by itself, while what it waits for continues: the outputs come from that.
      const result = await running.result;
      expect(result.exitCode).toBe(1);
      expect(result.outputs.get("outcome")).toBe("cancelled");
      expect(errors(result)).toEqual([expect.stringContaining(result.outputs.get("revision-id") ?? "-")]);
      expect(result.leftInTemp).toEqual([]);
      expect(service.revisions(result.outputs.get("deployment-id") ?? "")[0]?.status).toBe("BUILDING");
    },
  );

  // Post was the same script as main, distinguished by a state that such a main had not saved: it deployed.
  withStep("before main has begun deploys nothing, in post either", async ({ options, service }) => {
    const running = await startAction(options());
    running.signal("SIGKILL");
    const result = await running.result;
    expect(result.exitCode).toBeNull();
    expect(result.post).toMatchObject({ exitCode: 0, rawStdout: "", rawStderr: "" });
    expect(service.requests).toEqual([]);
  });

  withStep("in the middle of an upload that stalls", async ({ options, service }) => {
    service.faults.add({ match: { method: "PUT" }, do: { kind: "stall" } });
    const running = await startAction(options());
    await running.line(/^Created/);
    await expect.poll(() => service.requests.some(({ method }) => method === "PUT")).toBe(true);
    running.signal("SIGINT");
    const result = await running.result;
    expect(result.outputs.get("outcome")).toBe("cancelled");
    expect(result.leftInTemp).toEqual([]);
  });

  withStep("by force leaves an archive behind, which post removes", async ({ options, service }) => {
    service.faults.add({ match: { method: "PUT" }, do: { kind: "stall" } });
    const running = await startAction(options());
    await expect.poll(() => service.requests.some(({ method }) => method === "PUT")).toBe(true);
    running.signal("SIGKILL");
    const result = await running.result;
    expect(result.exitCode).toBeNull();
    expect(result.leftInTemp).toEqual([]);
    expect((await runAction(options())).outputs.get("created")).toBe("false");
  });
});
