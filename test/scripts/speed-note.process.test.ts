import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

const ROOT = join(import.meta.dirname, "../..");
const WORKFLOW = ".github/workflows/speed.yml";
const BOT = "github-actions[bot]";
const THIS_RUN = 40;

/** How a night ended: `broken` before it had measured, `cancelled` while it did. */
type Night = "broken" | "cancelled" | "met" | "missed";

interface Issue {
  readonly number: number;
  readonly user: { readonly login: string };
  readonly labels: readonly { readonly name: string }[];
  readonly pull_request?: object;
  body: string;
}

const STEPS: Readonly<Record<Night, readonly (readonly [string, string])[]>> = {
  met: [
    ["Met", "success"],
    ["Missed", "skipped"],
  ],
  missed: [
    ["Met", "skipped"],
    ["Missed", "success"],
  ],
  broken: [
    ["Measure each claim beside its peer", "failure"],
    ["Met", "skipped"],
    ["Missed", "skipped"],
  ],
  cancelled: [["Measure each claim beside its peer", "cancelled"]],
};

interface Setting {
  /** The nights before this one, the last one first. */
  readonly nights?: readonly Night[];
  readonly issues?: readonly Issue[];
  readonly dropsLabels?: boolean;
  /** Answers so many requests with 502. */
  failures?: number;
}

/** A GitHub on loopback with the nights of a workflow, and its issues. */
async function gitHub(setting: Setting) {
  const { nights = [], dropsLabels = false } = setting;
  const issues = [...(setting.issues ?? [])];
  const written: string[] = [];
  // The run of this night is in the list too, and GitHub promises no order.
  const runs = [
    ...nights.map((_, index) => ({ id: 1000 - index, run_number: THIS_RUN - 1 - index })),
    { id: 2000, run_number: THIS_RUN },
  ];
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
      const path = pathname.replace(/^\/api\/v3\/repos\/owner\/graph-deploy/, "");
      const reply = (status: number, body: unknown) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      };
      if ((setting.failures ?? 0) > 0) {
        setting.failures = (setting.failures ?? 0) - 1;
        return reply(502, {});
      }
      if (request.headers.authorization !== "Bearer token-of-the-job") return reply(401, {});
      const [, number] = /^\/issues\/(\d+)$/.exec(path) ?? [];
      const [, run] = /^\/actions\/runs\/(\d+)\/jobs$/.exec(path) ?? [];
      if (request.method === "GET" && path === "/issues") {
        const label = searchParams.get("labels");
        return reply(
          200,
          issues.filter(({ labels }) => labels.some(({ name }) => name === label)),
        );
      }
      if (request.method === "GET" && path === "/actions/workflows/speed.yml/runs") {
        if (searchParams.get("event") !== "schedule") return reply(422, {});
        return reply(200, { workflow_runs: runs.slice(0, Number(searchParams.get("per_page"))) });
      }
      if (request.method === "GET" && run !== undefined) {
        const steps = STEPS[nights[1000 - Number(run)] ?? "broken"].map(([name, conclusion]) => ({ name, conclusion }));
        return reply(200, {
          jobs: [
            { name: "Measure", steps },
            { name: "Keep the note", steps: [] },
          ],
        });
      }
      const Body = z.object({
        body: z.string(),
        title: z.string().optional(),
        labels: z.array(z.string()).default([]),
      });
      const { body, labels } = Body.parse(await json(request));
      if (request.method === "POST" && path === "/issues") {
        const kept = dropsLabels ? [] : labels.map((name) => ({ name }));
        const issue: Issue = { number: 77, user: { login: BOT }, labels: kept, body };
        issues.push(issue);
        written.push("opened");
        return reply(201, issue);
      }
      const found = issues.find((issue) => String(issue.number) === number);
      if (request.method !== "PATCH" || found === undefined) return reply(404, {});
      found.body = body;
      written.push("updated");
      return reply(200, found);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}/api/v3`, issues, written };
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

async function keepNote(url: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const whole = {
    GITHUB_API_URL: url,
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_REPOSITORY: "owner/graph-deploy",
    GITHUB_RUN_NUMBER: String(THIS_RUN),
    GITHUB_RUN_ID: "2000",
    GITHUB_TOKEN: "token-of-the-job",
    TABLE: "packing  0.50  0.80  met",
    ...env,
  };
  return await new Promise((resolve) => {
    execFile(process.execPath, ["scripts/speed-note.ts"], { cwd: ROOT, env: whole }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

const note = (more: Partial<Issue> = {}): Issue => ({
  number: 5,
  user: { login: BOT },
  labels: [{ name: "nightly speed" }],
  body: "as it was",
  ...more,
});

test.each<[string, "met" | "missed", Setting, readonly string[]]>([
  ["two misses in a row open a note", "missed", { nights: ["missed", "met"] }, ["opened"]],
  ["one miss opens none", "missed", { nights: ["met", "missed"] }, []],
  ["a first night that misses opens none", "missed", {}, []],
  ["a night that measured nothing is neither", "missed", { nights: ["broken", "cancelled", "missed"] }, ["opened"]],
  ["nor does it make a miss of a night that met", "missed", { nights: ["cancelled", "met", "missed"] }, []],
  ["a miss of long ago is not in a row", "missed", { nights: [...Array<Night>(7).fill("broken"), "missed"] }, []],
  ["what is met opens none", "met", { nights: ["missed", "missed"] }, []],
  ["the open note is updated by a further miss", "missed", { nights: ["missed"], issues: [note()] }, ["updated"]],
  ["and by a night that met", "met", { nights: ["missed"], issues: [note()] }, ["updated"]],
  [
    "another user's issue with the label is none",
    "missed",
    { nights: ["missed"], issues: [note({ user: { login: "eve" } })] },
    ["opened"],
  ],
  [
    "a pull request with it is none",
    "missed",
    { nights: ["missed"], issues: [note({ pull_request: {} })] },
    ["opened"],
  ],
  ["a read that failed is asked again", "missed", { nights: ["missed"], failures: 1 }, ["opened"]],
])("%s", async (_, verdict, setting, expected) => {
  const { url, written } = await gitHub(setting);
  const { code, output } = await keepNote(url, { VERDICT: verdict });
  expect([code, written], output).toEqual([0, expected]);
  expect(output).not.toContain("token-of-the-job");
});

test("the note shows what was missed and where, and what it shows is no markdown", async () => {
  const { url, issues } = await gitHub({ nights: ["missed"] });
  const table = `reading </pre> @someone #1 [x](https://evil.example)\n${"x".repeat(100_000)}`;
  expect((await keepNote(url, { VERDICT: "missed", TABLE: table })).code).toBe(0);
  const [{ body } = note()] = issues;
  expect(body).toContain("https://github.example/owner/graph-deploy/actions/runs/2000");
  expect(body).toContain("<pre>\nreading &lt;/pre&gt; @someone");
  expect(body.length).toBeLessThan(25_000);
});

test.each<[string, Setting, Readonly<Record<string, string>>, string]>([
  ["without a verdict", {}, { VERDICT: "" }, "The note was not kept: VERDICT is not set."],
  ["of another verdict", {}, { VERDICT: "fine" }, "The note was not kept: VERDICT is neither met nor missed."],
  ["whose token is refused", {}, { VERDICT: "missed", GITHUB_TOKEN: "other" }, "GET /issues returned 401."],
  [
    "whose label is dropped",
    { nights: ["missed"], dropsLabels: true },
    { VERDICT: "missed" },
    'no label "nightly speed"',
  ],
])("a night %s is red, and says why", async (_, setting, env, sentence) => {
  const { url } = await gitHub(setting);
  const { code, output } = await keepNote(url, env);
  expect(code).toBe(1);
  expect(output).toContain(sentence);
});

test("the workflow has the steps that the script reads, and its file the name", () => {
  const Job = z.object({
    permissions: z.record(z.string(), z.string()),
    steps: z.array(z.looseObject({ name: z.string().optional(), if: z.string().optional() })),
  });
  const workflow = z
    .object({ permissions: z.object({}).strict(), jobs: z.object({ measure: Job, note: Job }) })
    .parse(parse(readFileSync(join(ROOT, WORKFLOW), "utf8")));
  const { measure, note: keeping } = workflow.jobs;
  for (const [name, verdict] of [
    ["Met", "met"],
    ["Missed", "missed"],
  ]) {
    expect(measure.steps.find((step) => step.name === name)?.if).toBe(`steps.bench.outputs.verdict == '${verdict}'`);
  }
  expect(measure.permissions).toEqual({ contents: "read" });
  expect(keeping.permissions).toEqual({ actions: "read", contents: "read", issues: "write" });
  expect(JSON.stringify(keeping.steps)).not.toContain("npm");
});
