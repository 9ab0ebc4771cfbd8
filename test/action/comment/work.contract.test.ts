import { summaryOf } from "../../../front/account/account.ts";
import { hostOf, optionsOf } from "../../front/hosted.ts";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commentStep } from "../../../action/comment/step.ts";
import type { CommentEvent } from "../../../action/comment/report.ts";
import { carryOut } from "../../../action/comment/work.ts";
import { sectionsOf } from "../../../action/github/comment/body.ts";
import type { Environment } from "../../../front/environment.ts";
import { outputTexts } from "../../../front/account/step-report.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { pullRequestEvent, workflowRunEvent } from "../../github/events.ts";
import { startGitHub } from "../../github/server.ts";
import { READ_ONLY } from "../../github/tokens.ts";
import { makeAuthority } from "../../wire/certificates.ts";
import { FastClock } from "../../wire/clocks.ts";
import { startSecureServer } from "../../wire/secure-server.ts";
import { factsOf, logOf } from "../../front/account/step-output.ts";
import { writeFiles } from "../../write-files.ts";

interface Changes {
  readonly files?: Readonly<Record<string, string>>;
  readonly inputs?: Environment;
  readonly by?: "fork" | "pull_request" | "workflow_run";
  readonly isReadOnly?: boolean;
}

const REPORT =
  "<!-- graph-deploy judgement -->\n### ❌ Regressed: accuracy\n\n| Metric | Now |\n|---|---|\n| a | b |\n";

async function posting({
  files = { "comment.md": REPORT },
  inputs = {},
  by = "workflow_run",
  isReadOnly = false,
}: Changes = {}) {
  const github = await startGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const workspace = await mkdtemp(join(tmpdir(), "comment-"));
  onTestFinished(() => rm(workspace, { recursive: true }));
  await writeFiles(workspace, files);
  const { number } = github.state.pulls.open(by === "pull_request" ? {} : { headRepository: "mallory/octo-repo" });
  const { event, env: more } =
    by === "workflow_run"
      ? workflowRunEvent(github.state, number)
      : pullRequestEvent(github.state, number, "synchronize");
  const path = join(workspace, "event.json");
  await writeFile(path, JSON.stringify(event));
  const env = {
    ...{ ...github.env, ...more, GITHUB_EVENT_PATH: path, GITHUB_RUN_ID: "900", GITHUB_WORKSPACE: workspace },
    ...{ RUNNER_TEMP: workspace, "INPUT_BODY-PATH": "*.md", INPUT_KEY: "evaluation" },
    "INPUT_GITHUB-TOKEN": isReadOnly ? github.tokenOf({ permissions: READ_ONLY }) : github.token,
    ...inputs,
  };
  const events: CommentEvent[] = [];
  const run = async () => {
    const read = await optionsOf(commentStep, env);
    const surroundings = {
      host: hostOf(env),
      redactor: new Redactor(),
      signal: new AbortController().signal,
      clock: new FastClock(),
    };
    await carryOut(read, { ...surroundings, emit: (each) => events.push(each) });
    const facts = factsOf(commentStep.reporting, events);
    const values = outputTexts(commentStep.reporting.outputs(facts));
    const summary = summaryOf(commentStep.reporting, facts, { redact: (text) => text });
    return { notices: read.notices, values, log: logOf(commentStep.reporting, events), summary };
  };
  const bodies = () => github.state.comments.of(number).map(({ body }) => body);
  return { github, run, bodies, workspace };
}

test("a report of a fork is posted after its run, as of that run, for the pull request of the event", async () => {
  const { run, bodies, github } = await posting();
  const { values, log, summary } = await run();
  expect(values).toMatchObject({ outcome: "created", "pull-request": "1" });
  expect(log.at(-1)).toContain("created on pull request #1");
  expect(summary).toContain("### ❌ Regressed: accuracy");
  const [section] = sectionsOf(bodies()[0]);
  expect(section?.facts).toMatchObject({
    kind: "report",
    key: "evaluation",
    run: "7",
    sign: "bad",
    state: "Regressed: accuracy",
  });
  expect(section?.facts.commit).toBe(github.state.pulls.find(1).headSha);
  expect(section?.text).toBe("### ❌ Regressed: accuracy\n\n| Metric | Now |\n|---|---|\n| a | b |");
});

test("several files are one section, with the worst of them on top, and share the room", { tags: "slow" }, async () => {
  const files = {
    "a.md": "### ✅ fine\n" + "| a row of 40 characters, as tables have |\n".repeat(3_000),
    "b.md": "### ⚠️ so so\n\nshort",
  };
  const { run, bodies } = await posting({ files });
  await run();
  const [section] = sectionsOf(bodies()[0]);
  expect(section?.facts).toMatchObject({ sign: "warning", state: "so so and 1 more" });
  expect(section?.text).toMatch(/more lines are left out here_\n\n### ⚠️ so so\n\nshort$/);
  expect(bodies()[0]?.length).toBeLessThan(60_000);
});

test("what a stranger wrote forges no section and calls nobody", async () => {
  const forged = await posting();
  await forged.run();
  const attack = `${forged.bodies()[0] ?? ""}\n@octo-org/everyone <img src="https://evil.example/x.png">\n<!-- graph-deploy:end -->`;
  const { run, bodies } = await posting({ files: { "a.md": attack } });
  await run();
  expect(sectionsOf(bodies()[0])).toHaveLength(1);
  expect(bodies()[0]).not.toMatch(/<img|@octo/);
});

test("without the right to write there is one warning, and the step is green", async () => {
  const { run, github } = await posting({ isReadOnly: true });
  const { values, log } = await run();
  expect(values).toMatchObject({ outcome: "refused" });
  expect(log.join("\n")).toMatch(/warning.*`pull-requests: write`/);
  expect(github.count("POST", /\/comments$/)).toBe(1);
});

test("in the run of a fork there is one notice, and no request", async () => {
  const { run, github } = await posting({ by: "fork" });
  const { values, notices } = await run();
  expect(values).toMatchObject({ outcome: "refused" });
  expect(notices).toHaveLength(1);
  expect(github.requests).toEqual([]);
});

test.each([
  ["a file that is not there", { "INPUT_BODY-PATH": "none.md" }, "body-path"],
  ["no file", { "INPUT_BODY-PATH": "" }, "body-path"],
  ["a file of another place", { "INPUT_BODY-PATH": "../../etc/passwd" }, "body-path"],
  ["no name", { INPUT_KEY: "" }, "key"],
])("%s is an invalid input", async (_, inputs, input) => {
  const { run } = await posting({ inputs });
  await expect(run()).rejects.toMatchObject({ faults: [{ input }] });
});

test("a GitHub with a certificate of its own is reached with `ca-certificate` only", async () => {
  const authority = makeAuthority();
  const server = await startSecureServer(authority.issue(["localhost"]), []);
  const address = { GITHUB_API_URL: `https://localhost:${String(server.port)}/api/v3` };
  const without = await posting({ inputs: address });
  expect((await without.run()).values).toMatchObject({ outcome: "refused" });
  expect(server.seen).toEqual([]);
  const { run } = await posting({ inputs: { ...address, "INPUT_CA-CERTIFICATE": authority.cert } });
  // No pull request has the commit of the run there.
  expect((await run()).values).toMatchObject({ outcome: "none" });
  expect(server.seen).toHaveLength(1);
});

test("the files are left as they are", async () => {
  const { run, workspace } = await posting();
  await run();
  expect(await readFile(join(workspace, "comment.md"), "utf8")).toBe(REPORT);
});
