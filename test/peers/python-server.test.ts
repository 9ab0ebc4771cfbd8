import { describe, expect, inject, test } from "vitest";
import { describeClient } from "./client-suite.ts";
import { ask, deployLog, deployWithAction, project, runGraph, serve, watch } from "./rig.ts";
import { pythonCommand } from "./tools.ts";

const tool = inject("pythonPeer");

describe("the real Python agent server, from the uploaded source", () => {
  test("goes live, proves its revision in /info, and swaps without a failed request", async ({ skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const service = await serve(pythonCommand(tool));
    const workspace = await project("python");
    const first = await deployWithAction(service.url, workspace, { secrets: "MODEL_API_KEY=sk-peers-0123" });
    expect(first.outputs.get("outcome"), first.log.join("\n")).toBe("deployed");
    const url = first.outputs.get("url") ?? "";
    const revision = first.outputs.get("revision-id") ?? "";
    expect(await ask(url, "/ok")).toMatchObject({ ok: true });
    expect(await ask(url, "/info")).toMatchObject({ host: { host_revision_id: revision } });
    expect(await runGraph(url, { question: "who?" })).toMatchObject({
      answer: "You asked: who?, with a key",
      revision,
    });
    expect(await deployLog(service, revision)).toContain("Application started up");

    // A run that is open when the next revision takes over: the old server answers it before it ends.
    const asked = watch(url);
    const open = runGraph(url, { question: "slow?", seconds: 1 });
    const second = await deployWithAction(service.url, workspace);
    const { good, failed } = await asked.stop();
    expect(second.outputs.get("outcome"), second.log.join("\n")).toBe("deployed");
    expect(failed).toEqual([]);
    expect(good).toBeGreaterThan(20);
    expect(await open).toMatchObject({ revision });
    const next = second.outputs.get("revision-id");
    expect(await ask(url, "/info")).toMatchObject({ host: { host_revision_id: next } });
    expect(await runGraph(url, { question: "and now?" })).toMatchObject({ revision: next });
  });

  test("is DEPLOY_FAILED with its last lines when a graph cannot be loaded, and the old one serves on", async ({
    skip,
  }) => {
    if ("missing" in tool) return skip(tool.missing);
    const service = await serve(pythonCommand(tool));
    const first = await deployWithAction(service.url, await project("python"));
    expect(first.outputs.get("outcome"), first.log.join("\n")).toBe("deployed");
    const broken = await project("python", { "agent.py": 'raise ValueError("the graph is broken")\n' });
    const result = await deployWithAction(service.url, broken);
    expect(result.outputs.get("outcome")).toBe("deploy-failed");
    expect(result.log.join("\n")).toContain("the graph is broken");
    expect(service.revisions(service.deployments()[0]?.id ?? "")[0]?.status_message).toContain(
      "ended with exit code 3",
    );
    const url = first.outputs.get("url") ?? "";
    expect(await runGraph(url, { question: "still?" })).toMatchObject({ revision: first.outputs.get("revision-id") });
  });

  // A server with an open run stops listening at SIGTERM and waits for it, a minute if need be.
  test("ends with the service though a run is open, by force after the grace time", async ({ skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const service = await serve(pythonCommand(tool));
    const first = await deployWithAction(service.url, await project("python"));
    const url = first.outputs.get("url") ?? "";
    const open = runGraph(url, { question: "slow?", seconds: 60 }).catch((error: unknown) => String(error));
    await expect
      .poll(() => deployLog(service, first.outputs.get("revision-id") ?? ""))
      .toContain("Starting background run");
    const start = performance.now();
    await service.close();
    // Far from the minute that the run would take.
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(await open).toEqual(expect.any(String));
  });
});

describeClient({
  name: "python",
  tool,
  command: pythonCommand,
  hasPages: true,
  hasMcp: true,
  unknownGraph: 422,
  brokenGraph: 400,
  wrongField: 422,
  brokenError: "ValueError",
});
