import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { request } from "undici";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { factsOf } from "../local/page-cards.ts";
import { API_KEY, ask, deployWithAction, project, SURROUNDINGS } from "./rig.ts";
import { FIELD_NAMES } from "./tools.ts";

const tools = { js: inject("jsPeer"), python: inject("pythonPeer") };
const DIGEST = `sha256:${"ab".repeat(32)}`;

/** The local service as a command, with the flags that the README names for public clients. */
async function startCommand(): Promise<string> {
  const main = join(import.meta.dirname, "..", "..", "src", "local-command.ts");
  const flags = ["--port", "0", "--compat", "--field-names", FIELD_NAMES, "--walk-milliseconds", "0"];
  const child = spawn(process.execPath, [main, "local", ...flags, "--api-key", API_KEY], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill();
    await closed;
  });
  const lines = createInterface(child.stdout);
  const [url] = (await Promise.race([once(lines, "line"), once(lines, "close")])) as [string?];
  if (url === undefined) throw new Error("The local service ended before it said where it listens.");
  return url;
}

interface Listed {
  readonly resources: readonly {
    readonly id: string;
    readonly name: string;
    readonly url: string;
    readonly latest_revision_id: string;
    readonly active_revision_id: string;
    readonly source_revision_config: { readonly langgraph_config_path: string };
  }[];
}

const list = async (url: string) => ((await ask(url, "/v2/deployments")) as Listed).resources;

/** A public command line in a project of its own, against one service. */
interface CommandLine {
  readonly url: string;
  readonly workspace: string;
  /** Runs `deploy` with these arguments. */
  run(
    ...args: readonly string[]
  ): Promise<{ readonly exitCode: number; readonly stdout: string; readonly all: string }>;
}

async function commandLine(name: "js" | "python", program: string): Promise<CommandLine> {
  const url = await startCommand();
  const workspace = await project(name);
  const [file, first] = name === "js" ? [process.execPath, [program]] : [program, []];
  const env = {
    ...SURROUNDINGS,
    LANGGRAPH_HOST_API_KEY: API_KEY,
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
  };
  return {
    url,
    workspace,
    run: (...args) =>
      new Promise((resolve) => {
        const all = [...first, "deploy", ...args, "--host-url", url];
        execFile(file, all, { cwd: workspace, env, timeout: 90_000 }, (error, stdout, stderr) => {
          resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), stdout, all: stdout + stderr });
        });
      }),
  };
}

/** What it printed last, of its lines of JSON. */
function lastEvent(stdout: string): Readonly<Record<string, unknown>> {
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
}

const DEPLOY = ["--remote", "--no-input", "--json", "--name", "peer-agent"];

describe.each(["js", "python"] as const)("the public %s command line", (name) => {
  const tool = tools[name];

  test("deploys its own project into the local service, and ours updates that deployment", async ({ skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const { url, workspace, run } = await commandLine(name, tool.program);
    const first = await run(...DEPLOY);
    expect(first.exitCode, first.all).toBe(0);
    const result = lastEvent(first.stdout);
    expect(result, first.stdout).toMatchObject({ event: "result", status: "succeeded" });

    const [theirs, ...others] = await list(url);
    expect(others).toEqual([]);
    expect(theirs).toMatchObject({
      name: "peer-agent",
      url: result["url"],
      source_revision_config: { langgraph_config_path: "langgraph.json" },
    });
    expect(await ask(theirs?.url ?? "", "/assistants/search", {})).toMatchObject([{ graph_id: "agent" }]);
    // The link that it prints is a page of the service.
    const page = await request(String(result["status_url"]), { headers: { "x-api-key": API_KEY } });
    expect(page.statusCode).toBe(200);
    expect(factsOf(await page.body.text())).toMatchObject({
      Status: "DEPLOYED",
      Source: "internal_source",
      "SHA-256 of the archive": expect.stringMatching(/^[\da-f]{64}$/) as string,
    });

    const ours = await deployWithAction(url, workspace);
    expect(ours.outputs.get("outcome"), ours.log.join("\n")).toBe("deployed");
    expect(ours.outputs.get("deployment-id")).toBe(theirs?.id);
    expect(ours.outputs.get("created")).toBe("false");
    expect(ours.outputs.get("revision-id")).not.toBe(theirs?.latest_revision_id);
    expect(await list(url)).toMatchObject([{ id: theirs?.id, active_revision_id: ours.outputs.get("revision-id") }]);
    expect(ours.leaked).toEqual([]);

    // And the other way round: theirs updates what ours has deployed.
    const again = await run(...DEPLOY);
    expect(lastEvent(again.stdout), again.all).toMatchObject({ status: "succeeded" });
    const [after] = await list(url);
    expect(after?.id).toBe(theirs?.id);
    expect(after?.active_revision_id).not.toBe(ours.outputs.get("revision-id"));
  });

  test("lists, shows and deletes what ours has deployed", async ({ skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const { url, workspace, run } = await commandLine(name, tool.program);
    const ours = await deployWithAction(url, workspace);
    expect(ours.outputs.get("outcome"), ours.log.join("\n")).toBe("deployed");
    const id = ours.outputs.get("deployment-id") ?? "";
    const revision = ours.outputs.get("revision-id") ?? "";
    const agent = ours.outputs.get("url") ?? "";
    for (const [args, printed] of [
      [["list"], [id, "peer-agent", agent]],
      [["list", "--name-contains", "AGENT"], [id]],
      [
        ["revisions", "list", id],
        [revision, "DEPLOYED"],
      ],
      [["logs", "--deployment-id", id], [`The agent server listens at ${agent}.`]],
      [
        ["logs", "--name", "peer-agent", "--type", "build"],
        [revision, "Graphs: agent."],
      ],
      [["logs", "--deployment-id", id, "--query", "listens", "--limit", "1"], ["[INFO] The agent server listens"]],
      [["delete", id, "--force"], [id]],
    ] as const) {
      const { exitCode, all } = await run(...args);
      expect([args, exitCode, all]).toEqual([args, 0, expect.any(String)]);
      for (const text of printed) expect(all).toContain(text);
    }
    expect(await list(url)).toEqual([]);
    const gone = await run("revisions", "list", id);
    expect(gone.exitCode).not.toBe(0);
    expect(gone.all).toContain(`Deployment ID ${id} not found.`);
  });

  test("is told why it may not call", async ({ skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const { run } = await commandLine(name, tool.program);
    const { exitCode, all } = await run("list", "--api-key", "another-key");
    expect(exitCode).not.toBe(0);
    expect(all).toContain("Send a valid API key");
  });
});

test("the public python command line deploys an image by its digest, and updates it", async ({ skip }) => {
  const tool = tools.python;
  if ("missing" in tool) return skip(tool.missing);
  const { url, run } = await commandLine("python", tool.program);
  for (const image of [`registry.example/agent@${DIGEST}`, `registry.example/agent:2@${DIGEST}`]) {
    const { stdout, all } = await run("--no-input", "--json", "--name", "image-agent", "--image-uri", image);
    const result = lastEvent(stdout);
    expect(result, all).toMatchObject({ event: "result", status: "succeeded" });
    const page = await request(String(result["status_url"]), { headers: { "x-api-key": API_KEY } });
    expect(factsOf(await page.body.text())).toMatchObject({ Image: image, Digest: DIGEST, Source: "external_docker" });
  }
  expect(await list(url)).toHaveLength(1);
});
