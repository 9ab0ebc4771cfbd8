import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { startLocalService } from "../../src/local/index.ts";
import { ENDPOINT_GROUPS } from "../../src/local/agent-server/groups.ts";
import { startAgentServer } from "./agent-server.ts";
import { MarkdownFile } from "./markdown-file.ts";

const page = await MarkdownFile.read("docs/clients.md");
const blocks = page.codeBlocks("js");
const KEY = "key-of-the-service";

// Below the project, where a program finds zod.
await mkdir(join(projectRoot, "build"), { recursive: true });
const directory = await mkdtemp(join(projectRoot, "build/clients-"));
afterAll(() => rm(directory, { recursive: true, force: true }));

interface Ran {
  readonly lines: readonly string[];
  /** What the agent was asked: `POST /threads`. */
  readonly endpoints: readonly string[];
}

/** Runs a block of the page as it is, but with the sources in place of the package. */
async function run(block: number): Promise<Ran> {
  const service = await startLocalService({ apiKey: KEY, walkMilliseconds: 0 });
  onTestFinished(() => service.close());
  const agent = await startAgentServer(KEY);
  const file = join(directory, `block-${String(block)}.mjs`);
  const library = pathToFileURL(join(projectRoot, "src/index.ts")).href;
  await writeFile(file, (blocks[block] ?? "").replace('from "graph-deploy"', `from ${JSON.stringify(library)}`));
  const env = { ...process.env, GRAPH_DEPLOY_URL: service.url, GRAPH_DEPLOY_API_KEY: KEY, AGENT_URL: agent.url };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: directory, env });
  expect(stderr).toBe("");
  const endpoints = agent.requests.map(({ method, path }) => `${method} ${path}`);
  return { lines: stdout.trimEnd().split("\n"), endpoints };
}

const ANSWER = "{ question: 'Where is my order?', answer: 'On its way.' }";

test("each block of the page is run here", () => {
  expect(blocks).toHaveLength(6);
});

test("the flow of the contract creates, gets, polls and patches", async () => {
  const { lines } = await run(0);
  expect(lines).toEqual(["support-image is new DEPLOYED", "updated DEPLOYED"]);
});

test("assistants, stateless runs and the system", async () => {
  const ran = await run(1);
  expect(ran.lines).toEqual([
    "1.2.3",
    "support",
    `answered ${ANSWER}`,
    "metadata { run_id: 'r-1' }",
    expect.stringMatching(/^updates \{/) as string,
    ...ran.lines.slice(5),
  ]);
  expect(ran.endpoints).toEqual([
    "GET /ok",
    "GET /info",
    "POST /assistants/search",
    "POST /assistants/search",
    "POST /runs/wait",
    "POST /runs/stream",
  ]);
});

test("threads and their runs", async () => {
  const ran = await run(2);
  expect(ran.lines).toEqual(["metadata { run_id: 'r-2' }", `values ${ANSWER}`, "r-2 success", `state ${ANSWER}`]);
  expect(ran.endpoints.map((endpoint) => endpoint.replace(/threads\/[\w-]{36}/, "threads/ID"))).toEqual([
    "POST /threads",
    "POST /threads/ID/runs/stream",
    "GET /threads/ID/runs",
    "GET /threads/ID/runs",
    "GET /threads/ID/state",
    "DELETE /threads/ID",
  ]);
});

test("crons and the store", async () => {
  const ran = await run(3);
  expect(ran.lines).toEqual(["cron c-1", "item { value: { language: 'en' } }"]);
  expect(ran.endpoints).toEqual(["POST /runs/crons", "PUT /store/items", "GET /store/items"]);
});

test("A2A and MCP, whose responses are streams or not", async () => {
  const ran = await run(4);
  const [tools, sent, ...events] = ran.lines.join("\n").split(/\n(?=sent|event)/);
  expect(tools).toBe("tools [ { name: 'support' } ]");
  expect(sent).toMatch(/^sent \{.*completed/s);
  expect(events).toEqual([expect.stringMatching(/^event .*working/s), expect.stringMatching(/^event .*completed/s)]);
  expect(ran.endpoints.filter((endpoint) => !endpoint.includes("search"))).toEqual([
    "POST /mcp",
    "POST /a2a/0f8fad5b-d9cb-469f-a165-70867728950e",
    "POST /a2a/0f8fad5b-d9cb-469f-a165-70867728950e",
  ]);
});

test("what a service rejects", async () => {
  const { lines } = await run(5);
  expect(lines).toEqual([expect.stringMatching(/^422 path\.deployment_id \w+ \S/) as string]);
});

test("the page has a block for each group of the contract", () => {
  const section = page.section("An agent server");
  expect(ENDPOINT_GROUPS.length).toBeGreaterThan(8);
  for (const { name } of ENDPOINT_GROUPS) expect(section, name).toContain(name);
});
