import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { request } from "undici";
import * as z from "zod";
import { startLocalService } from "../src/local/index.ts";
import { runAction, type ActionResult } from "../test/runner/runner.ts";
import { projectRoot } from "./command.ts";
import { renderMarkdown } from "./terminal-markdown.ts";

/** The main job, end to end, without an account: the built action deploys the example to the local service. */
const API_KEY = "demo-key-that-opens-nothing-else";
const state = join(projectRoot, ".graph-deploy", "demo");

const Assistants = z.array(z.looseObject({ assistant_id: z.string(), graph_id: z.string() }));

async function demo(): Promise<number> {
  await mkdir(state, { recursive: true });
  await using service = await startLocalService({
    dataDirectory: state,
    apiKey: API_KEY,
    // Slow enough for each status to be seen.
    walkMilliseconds: 4_000,
  });
  heading(`The local service listens on ${service.url}`);
  heading("Log of the step");
  const result = await deployExample(service.url);
  print(result.log);
  heading("Outputs");
  print([...result.outputs].map(([name, value]) => `${name.padEnd(16)}  ${value}`));
  heading("Job summary");
  print(renderMarkdown(result.summary));
  if (result.exitCode !== 0) return result.exitCode ?? 1;
  const url = result.outputs.get("url") ?? "";
  heading(`The agent answers at ${url}`);
  print((await askForAssistants(url)).map((line) => `POST /assistants/search  ${line}`));
  heading("What now");
  print([
    "Run it again: the same deployment gets one more revision. The service and the agent end with this command;",
    `to keep them: npm run --silent local -- --port 8123 --data-dir ${relative(projectRoot, state)} --api-key ${API_KEY}`,
  ]);
  return 0;
}

/** As a runner would start it: INPUT_… and GITHUB_…, a fresh RUNNER_TEMP, and post after main. */
async function deployExample(url: string): Promise<ActionResult> {
  return await runAction({
    actionYml: join(projectRoot, "action.yml"),
    workspace: projectRoot,
    inputs: { "control-plane-url": url, "api-key": API_KEY, name: "support-agent", path: "examples/agent" },
    secrets: [API_KEY],
  });
}

async function askForAssistants(url: string): Promise<readonly string[]> {
  const { statusCode, body } = await request(`${url}/assistants/search`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": API_KEY },
    body: JSON.stringify({ metadata: {}, limit: 10, offset: 0 }),
  });
  if (statusCode !== 200) throw new Error(`The agent answered ${String(statusCode)}.`);
  return Assistants.parse(await body.json()).map(
    ({ assistant_id, graph_id }) => `${graph_id.padEnd(10)} ${assistant_id}`,
  );
}

function heading(text: string): void {
  console.log(`\n== ${text} ${"=".repeat(Math.max(3, 96 - text.length))}`);
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

process.exitCode = await demo();
