import { describe, expect, inject, test } from "vitest";
import { describeClient } from "./client-suite.ts";
import { ask, deployLog, deployWithAction, project, runGraph, serve, watch } from "./rig.ts";
import { jsCommand } from "./tools.ts";

const tool = inject("jsPeer");

describe("the real JS agent server, from the uploaded source", () => {
  test("goes live, answers runs with the deployment's secrets, and swaps without a failed request", async ({
    skip,
  }) => {
    if ("missing" in tool) return skip(tool.missing);
    const service = await serve(jsCommand(tool));
    const workspace = await project("js");
    const first = await deployWithAction(service.url, workspace, { secrets: "MODEL_API_KEY=sk-peers-0123" });
    expect(first.outputs.get("outcome"), first.log.join("\n")).toBe("deployed");
    const url = first.outputs.get("url") ?? "";
    const revision = first.outputs.get("revision-id") ?? "";
    expect(await ask(url, "/ok")).toEqual({ ok: true });
    expect(await ask(url, "/assistants/search", {})).toMatchObject([{ graph_id: "agent" }]);
    expect(await runGraph(url, { question: "who?" })).toMatchObject({
      answer: "You asked: who?, with a key",
      revision,
    });
    expect(await deployLog(service, revision)).toContain("Server running at");

    const asked = watch(url);
    const second = await deployWithAction(service.url, workspace);
    const { good, failed } = await asked.stop();
    expect(second.outputs.get("outcome"), second.log.join("\n")).toBe("deployed");
    expect(failed).toEqual([]);
    expect(good).toBeGreaterThan(20);
    expect(second.outputs.get("url")).toBe(url);
    expect(await runGraph(url, { question: "and now?" })).toMatchObject({
      revision: second.outputs.get("revision-id"),
    });
  });

  // Such a server stays alive and never listens; on a busy machine it takes a while until it says why.
  test("is DEPLOY_FAILED with its last lines when a graph cannot be loaded", async ({ skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const service = await serve(jsCommand(tool), 30_000);
    const workspace = await project("js", { "agent.mjs": 'throw new Error("the graph is broken");\n' });
    const result = await deployWithAction(service.url, workspace);
    expect(result.outputs.get("outcome"), result.log.join("\n")).toBe("deploy-failed");
    expect(result.exitCode).toBe(1);
    expect(result.log.join("\n")).toContain("the graph is broken");
    const revisionId = result.outputs.get("revision-id") ?? "";
    expect(await deployLog(service, revisionId)).toContain("did not respond to /ok at 127.0.0.1:");
  });
});

describeClient({
  name: "js",
  tool,
  command: jsCommand,
  hasPages: false,
  hasMcp: false,
  unknownGraph: 404,
  brokenGraph: 500,
  wrongField: 400,
  brokenError: "Error",
});
