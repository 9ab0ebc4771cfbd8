import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { request } from "undici";
import * as z from "zod";
import { compareExperiments } from "../src/judgement/compare-experiments.ts";
import { startLocalService } from "../src/local/index.ts";
import { runAction, type ActionResult } from "../test/runner/runner.ts";
import { projectRoot } from "./command.ts";
import { chooseAgent, type DemoAgent } from "./demo-agent.ts";
import { evaluateAndJudge } from "./demo-evaluation.ts";
import { uploadRuns } from "./demo-experiments.ts";
import { heading, print, printStep } from "./demo-screen.ts";

/**
 * The main jobs, end to end, without an account: the built actions deploy the example to the local service, evaluate it
 * before and after a change, judge that, and upload the results of two larger evaluations.
 */
const API_KEY = "demo-key-that-opens-nothing-else";
const KEPT_PORT = 8123;

const Assistants = z.array(z.looseObject({ assistant_id: z.string(), graph_id: z.string() }));
const DeployLog = z.object({ logs: z.array(z.object({ message: z.string() })) });

const copies = await mkdtemp(join(tmpdir(), "graph-deploy-demo-"));
const removeCopies = () => rm(copies, { recursive: true, force: true });

async function demo(): Promise<number> {
  const agent = await chooseAgent(process.argv.slice(2), (line) => {
    print([line]);
  });
  if (agent === undefined) return 1;
  await mkdir(agent.state, { recursive: true });
  await cp(join(projectRoot, "examples"), copies, { recursive: true });
  await using service = await startLocalService({
    dataDirectory: agent.state,
    apiKey: API_KEY,
    fieldNames: agent.fieldNames,
    compare: compareExperiments,
    // Slow enough for each status to be seen.
    walkMilliseconds: 2_500,
    experimentDelayMilliseconds: 1_000,
    agentCommand: agent.command,
    agentEnvironment: agent.environment,
  });
  // An agent lives in a group of its own: Ctrl-C and the end of the terminal reach this process alone.
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void Promise.all([service.close(), removeCopies()]).finally(() => process.exit(1)));
  }
  heading(`The local service listens on ${service.url}`);
  const workspace = agent.command === undefined ? copies : projectRoot;
  const deploy = () => deployExample(service.url, agent, workspace);
  const result = await deploy();
  printStep("the deploy", result);
  if (result.exitCode !== 0) return result.exitCode ?? 1;
  if (agent.command !== undefined) {
    heading("What the agent server printed");
    print(await lastPrinted(service.url, result.outputs));
  }
  const url = result.outputs.get("url") ?? "";
  heading(`The agent answers at ${url}`);
  print((await askForAssistants(url)).map((line) => `POST /assistants/search  ${line}`));
  if (agent.command === undefined && !(await evaluateAndJudge({ workspace, apiKey: API_KEY, deploy }, result)))
    return 1;
  const page = await uploadRuns(service, API_KEY);
  if (page === undefined) return 1;
  heading("What now");
  print(whatNow(agent, page, new URL(service.projectsUrl)));
  return 0;
}

/** The pages are at the port of the service that can be started then. */
function whatNow(agent: DemoAgent, page: URL, projects: URL): readonly string[] {
  page.port = String(KEPT_PORT);
  projects.port = page.port;
  return [
    "Run it again: the same deployment gets one more revision, and the dataset two more experiments, with a number",
    "appended to their names. The service and the agent end with this command. To keep them:",
    `  npm run --silent local -- ${keepFlags(agent)}`,
    "Then this page judges the second experiment against the first. Log in with any user name, and the key as password:",
    `  ${page.href}`,
    "And this page shows the deploy as a trace, with the time of each step:",
    `  ${projects.href}`,
  ];
}

function keepFlags({ state, command, fieldNames }: DemoAgent): string {
  const flags = [`--port ${String(KEPT_PORT)}`, `--data-dir ${relative(projectRoot, state)}`, `--api-key ${API_KEY}`];
  if (fieldNames !== undefined) return [...flags, "(with the same --agent-command and --field-names)"].join(" ");
  return command === undefined ? flags.join(" ") : [...flags, `--agent-command '${command}'`].join(" ");
}

/** As a runner would start it: INPUT_… and GITHUB_…, a fresh RUNNER_TEMP, and post after main. */
async function deployExample(url: string, agent: DemoAgent, workspace: string): Promise<ActionResult> {
  return await runAction({
    actionYml: join(projectRoot, "action.yml"),
    workspace,
    inputs: {
      "control-plane-url": url,
      "api-key": API_KEY,
      name: "support-agent",
      "trace-session": "deploys",
      "trace-url": url,
      "trace-api-key": API_KEY,
      // Often enough for each status to be seen.
      "poll-interval": "1s",
      ...agent.inputs,
    },
    secrets: [API_KEY],
  });
}

async function lastPrinted(url: string, outputs: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const revision = `${outputs.get("deployment-id") ?? ""}/revisions/${outputs.get("revision-id") ?? ""}`;
  const log = await ask(`${url}/v1/projects/${revision}/deploy_logs`, { order: "desc", limit: 8 });
  return DeployLog.parse(log)
    .logs.toReversed()
    .map(({ message }) => message.slice(0, 120));
}

async function askForAssistants(url: string): Promise<readonly string[]> {
  return Assistants.parse(await ask(`${url}/assistants/search`, { metadata: {}, limit: 10, offset: 0 })).map(
    ({ assistant_id, graph_id }) => `${graph_id.padEnd(10)} ${assistant_id}`,
  );
}

async function ask(url: string, json: unknown): Promise<unknown> {
  const { statusCode, body } = await request(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": API_KEY },
    body: JSON.stringify(json),
  });
  if (statusCode !== 200) throw new Error(`${url} returned ${String(statusCode)}.`);
  return await body.json();
}

try {
  process.exitCode = await demo();
} finally {
  await removeCopies();
}
