import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { machineEnvironment } from "../../src/local/index.ts";
import { API_KEY, ask, deployWithAction, project } from "./rig.ts";
import { FIELD_NAMES } from "./tools.ts";

const tool = inject("jsPeer");

/** The local service as a command, with the flags that the README names for public clients. */
async function startCommand(): Promise<string> {
  const main = join(import.meta.dirname, "..", "..", "src", "local", "main.ts");
  const flags = ["--port", "0", "--compat", "--field-names", FIELD_NAMES, "--walk-milliseconds", "0"];
  const child = spawn(process.execPath, [main, "local", ...flags, "--api-key", API_KEY], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, "close");
  });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return url;
}

interface Listed {
  readonly resources: readonly {
    readonly id: string;
    readonly name: string;
    readonly latest_revision_id: string;
    readonly active_revision_id: string;
    readonly source_revision_config: { readonly langgraph_config_path: string };
  }[];
}

describe("the public JS command line", () => {
  test("deploys its own project into the local service, and ours updates that deployment", async ({ skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const url = await startCommand();
    const workspace = await project("js");
    const args = ["deploy", "--remote", "--no-input", "--json", "--name", "peer-agent", "--host-url", url];
    const { stdout } = await promisify(execFile)(process.execPath, [tool.program, ...args], {
      cwd: workspace,
      env: { ...machineEnvironment(process.env), LANGGRAPH_HOST_API_KEY: API_KEY, LANGGRAPH_CLI_NO_ANALYTICS: "1" },
      timeout: 90_000,
    });
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.at(-1), stdout).toMatchObject({ event: "result", status: "succeeded" });

    const list = async () => ((await ask(url, "/v2/deployments")) as Listed).resources;
    const [theirs, ...others] = await list();
    expect(others).toEqual([]);
    expect(theirs).toMatchObject({
      name: "peer-agent",
      source_revision_config: { langgraph_config_path: "langgraph.json" },
    });

    const ours = await deployWithAction(url, workspace);
    expect(ours.outputs.get("outcome"), ours.log.join("\n")).toBe("deployed");
    expect(ours.outputs.get("deployment-id")).toBe(theirs?.id);
    expect(ours.outputs.get("created")).toBe("false");
    expect(ours.outputs.get("revision-id")).not.toBe(theirs?.latest_revision_id);
    expect(await list()).toMatchObject([{ id: theirs?.id, active_revision_id: ours.outputs.get("revision-id") }]);
    expect(ours.leaked).toEqual([]);

    // And the other way round: theirs updates what ours has deployed.
    const again = await promisify(execFile)(process.execPath, [tool.program, ...args], {
      cwd: workspace,
      env: { ...machineEnvironment(process.env), LANGGRAPH_HOST_API_KEY: API_KEY, LANGGRAPH_CLI_NO_ANALYTICS: "1" },
      timeout: 90_000,
    });
    expect(again.stdout).toContain('"succeeded"');
    const [after] = await list();
    expect(after?.id).toBe(theirs?.id);
    expect(after?.active_revision_id).not.toBe(ours.outputs.get("revision-id"));
  });
});
