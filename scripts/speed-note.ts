/**
 * Keeps the note about the nightly measurement, an issue of this repository: a night that misses after a night that missed
 * opens it, or updates the open one; a single miss does neither. It runs without the packages of the project, since its
 * job may write issues.
 */
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { preformatted } from "../front/account/markdown.ts";

/** The workflow, and the steps of it that say how a night ended; none of both where it did not come to its end. */
const WORKFLOW = "speed.yml";
const STEPS = { Met: "met", Missed: "missed" } as const;
const LABEL = "nightly speed";
const AUTHOR = "github-actions[bot]";
/** So many nights that measured nothing may lie between two misses in a row. */
const NIGHTS = 7;
const MOST_CHARACTERS = 20_000;
const ATTEMPTS = 3;

type Verdict = "met" | "missed";

const env = (name: string): string => {
  const value = process.env[name] ?? "";
  if (value === "") throw new Error(`${name} is not set`);
  return value;
};

try {
  console.log(await keepNote());
} catch (error) {
  console.error(`The note was not kept: ${error instanceof Error ? error.message : String(error)}.`);
  process.exitCode = 1;
}

async function keepNote(): Promise<string> {
  const verdict = env("VERDICT");
  if (verdict !== "met" && verdict !== "missed") throw new Error(`VERDICT is neither met nor missed`);
  const open = await openNote();
  if (open !== undefined) {
    await request("PATCH", `/issues/${open}`, { body: bodyOf(verdict) });
    return `Updated the note, issue ${open}: ${verdict}.`;
  }
  if (verdict === "met") return "Met, and no note is open.";
  const before = await verdictBefore();
  if (before !== "missed") return `Missed once: the last night that measured was ${before ?? "none"}.`;
  const made = await request("POST", "/issues", { title: "A speed is missed", body: bodyOf(verdict), labels: [LABEL] });
  const labels = list(member(made, "labels")).map((label) => member(label, "name"));
  if (!labels.includes(LABEL)) throw new Error(`the new issue has no label "${LABEL}", and would not be found again`);
  return `Missed twice in a row: opened issue ${numberIn(made, "number")}.`;
}

/** The number of the note, where one is open. */
async function openNote(): Promise<number | undefined> {
  const issues = await request("GET", `/issues?state=open&per_page=100&labels=${encodeURIComponent(LABEL)}`);
  // Other users may give the label to their own.
  const notes = list(issues).filter((issue) => member(member(issue, "user"), "login") === AUTHOR);
  const [note] = notes.filter((issue) => member(issue, "pull_request") === undefined);
  return note === undefined ? undefined : numberIn(note, "number");
}

/** How the last night before this one ended that measured; undefined where there is none among the last ones. */
async function verdictBefore(): Promise<Verdict | undefined> {
  const current = Number(env("GITHUB_RUN_NUMBER"));
  const path = `/actions/workflows/${WORKFLOW}/runs?event=schedule&status=completed&per_page=${NIGHTS + 1}`;
  const runs = list(member(await request("GET", path), "workflow_runs"));
  const earlier = runs.filter((run) => numberIn(run, "run_number") < current);
  const newestFirst = earlier.toSorted((a, b) => numberIn(b, "run_number") - numberIn(a, "run_number"));
  for (const run of newestFirst.slice(0, NIGHTS)) {
    const jobs = list(member(await request("GET", `/actions/runs/${numberIn(run, "id")}/jobs`), "jobs"));
    const steps = jobs.flatMap((job) => list(member(job, "steps")));
    const ended = steps.filter((step) => member(step, "conclusion") === "success").map((step) => member(step, "name"));
    for (const [step, verdict] of Object.entries(STEPS)) if (ended.includes(step)) return verdict;
  }
  return undefined;
}

function bodyOf(verdict: Verdict): string {
  const run = `${env("GITHUB_SERVER_URL")}/${env("GITHUB_REPOSITORY")}/actions/runs/${env("GITHUB_RUN_ID")}`;
  const table = (process.env["TABLE"] ?? "").slice(0, MOST_CHARACTERS);
  return [
    "Two nights in a row missed a limit of `npm run bench -- --short`, which are wide and of processor time. " +
      "Close this note when the cause is mended.",
    "",
    `The last night ${verdict === "met" ? "met all limits" : "missed one"}: ${run}`,
    "",
    preformatted(table.split("\n")),
  ].join("\n");
}

async function request(method: string, path: string, body?: object): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await requestOnce(method, path, body);
    } catch (error) {
      // What was written may be there although no response came: it is not written twice.
      if (method !== "GET" || attempt === ATTEMPTS) throw error;
      await sleep(1000 * attempt);
    }
  }
}

async function requestOnce(method: string, path: string, body: object | undefined): Promise<unknown> {
  const response = await fetch(`${env("GITHUB_API_URL")}/repos/${env("GITHUB_REPOSITORY")}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${env("GITHUB_TOKEN")}`,
      "user-agent": "graph-deploy-speed",
      "x-github-api-version": "2022-11-28",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "error",
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${method} ${path.split("?")[0] ?? ""} returned ${response.status}`);
  return await response.json();
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error("GitHub returned something else than a list");
  return value;
}

function numberIn(value: unknown, key: string): number {
  const found = member(value, key);
  if (typeof found !== "number") throw new Error(`GitHub returned no ${key}`);
  return found;
}
