import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { readmeWorkflows } from "../../scripts/readme-workflows.ts";
import { FieldNames } from "../../src/contract/field-names.ts";
import type { LocalServiceOptions } from "../../src/local/index.ts";
import { pullRequestEvent, workflowRunEvent } from "../github/events.ts";
import { startGitHub } from "../github/server.ts";
import { makeAuthority } from "../wire/certificates.ts";
import { startProxy } from "../wire/proxy-server.ts";
import { missingFor, needsAct, rig, SECRETS, type Rig } from "./rig.ts";
import { startSecureFront } from "./secure-front.ts";

needsAct();

const recipes = ["README.md", ...globSync("docs/*.md", { cwd: projectRoot })].flatMap((path) => {
  const page = readFileSync(join(projectRoot, path), "utf8");
  const isAboutGitHub = path === "docs/github.md";
  return readmeWorkflows(page).map(({ text, line }) => ({
    heading: headingAbove(page, line + ourStep(text)),
    text: isAboutGitHub ? text.replace("on: push", "on: pull_request") : text,
    isAboutGitHub,
  }));
});

const STEPS = ["comment", "judge", "upload-experiment", "upload-traces"].map(
  (door) => `OWNER/graph-deploy/action/${door}@v1`,
);
/** The output that says how a step ends, and what it is for a recipe that works. */
const ENDS: readonly (readonly [step: RegExp, output: string, value: string])[] = [
  [/action\/comment@/, "outcome", "created"],
  [/action\/judge@/, "gate-status", "bootstrap"],
  [/action\/upload-/, "upload-status", "uploaded"],
  [/graph-deploy@/, "outcome", "deployed"],
];

/** What a recipe needs of the service, and how it ends, where that is not the usual. */
const OTHERWISE: Readonly<Record<string, { readonly outcome?: string; readonly service?: LocalServiceOptions }>> = {
  "Dry run": { outcome: "dry-run" },
  // Its rule needs no baseline.
  "With an upload": { outcome: "passed" },
  "Services that spell names differently": {
    service: { fieldNames: FieldNames.parse("graph_config_path=acmegraph_config_path") },
  },
};
/** What an application has left behind, under the names that the recipe has. */
const TRACES = [
  ["runs.jsonl", "runs.jsonl"],
  ["spans.otlp.json", "spans.otlp.jsonl"],
] as const;
const SELF_HOSTED = "Self-hosted service, proxy and own CA";

test("each recipe that is run in a way of its own is on a page", () => {
  const headings = recipes.map(({ heading }) => heading);
  expect(headings).toEqual(expect.arrayContaining([...Object.keys(OTHERWISE), SELF_HOSTED]));
});

/** What a run is started with for a new pull request of a GitHub on loopback, or after the run for one. */
async function onGitHub(event: "pull_request" | "workflow_run"): Promise<Parameters<Rig["run"]>[0]> {
  const github = await startGitHub();
  onTestFinished(() => github[Symbol.asyncDispose]());
  const { number } = github.state.pulls.open();
  const isAfter = event === "workflow_run";
  const payload = isAfter ? workflowRunEvent(github.state, number) : pullRequestEvent(github.state, number, "opened");
  const variables: Readonly<Record<string, string>> = { ...github.env, ...payload.env };
  // act reads the commit from the repository itself.
  const { GITHUB_SHA: _, ...others } = variables;
  const artifacts = isAfter ? { ARTIFACT_FIXTURE_FOLDER: commentArtifact() } : {};
  const env = { ...others, ...artifacts };
  return { event, payload: payload.event, env, secrets: { GITHUB_TOKEN: github.token } };
}

/** What the run for the pull request has left, for the job that comments. */
function commentArtifact(): string {
  const store = mkdtempSync(join(tmpdir(), "comment-artifact-"));
  onTestFinished(() => rmSync(store, { recursive: true }));
  // A recipe for any body calls it otherwise than that for a judgement.
  for (const name of ["comment", "judged"]) {
    mkdirSync(join(store, name));
    writeFileSync(join(store, name, "comment.md"), "### ✅ Passed\n\nAll rules hold.\n");
  }
  return store;
}

describe("the workflow", () => {
  test.for(recipes.filter(({ heading }) => heading !== SELF_HOSTED))(
    "under $heading runs as it is shown",
    async ({ heading, text, isAboutGitHub }, { skip }) => {
      const missing = missingFor(text);
      if (missing !== undefined) skip(missing);
      const step = STEPS.find((one) => text.includes(one)) ?? "OWNER/graph-deploy@v1";
      const [, output = "", usual = ""] = ENDS.find(([pattern]) => pattern.test(step)) ?? [];
      const { outcome = usual, service } = OTHERWISE[heading] ?? {};
      const { run, commit } = await rig([withCheckout(text)], service);
      await commit(
        "acmegraph.json",
        JSON.stringify({ graphs: { root: "./root.py:graph" }, dependencies: [".", "requests"] }),
      );
      for (const [name, example] of TRACES) {
        await commit(`traces/${name}`, readFileSync(join(projectRoot, "examples/traces", example), "utf8"));
      }
      const isAfterRun = text.includes("workflow_run:");
      const event = isAfterRun ? "workflow_run" : "pull_request";
      const { exitCode, log } = await run(isAboutGitHub || isAfterRun ? await onGitHub(event) : {});
      expect(exitCode, log.text).toBe(0);
      expect(log.text).toContain(`::set-output:: ${output}=${outcome}`);
      expect(log.stages()).toContain(`Post ${step}: success`);
      expect(log.annotations("warning")).toEqual([]);
      expect(log.leaked(SECRETS)).toEqual([]);
    },
  );

  test(`under ${SELF_HOSTED} reaches the service with its own certificate, through the proxy`, async () => {
    const shown = withCheckout(recipes.find(({ heading }) => heading === SELF_HOSTED)?.text ?? "");
    const [proxy, authority] = [await startProxy(), makeAuthority()];
    const { run, service, commit } = await rig([shown]);
    const front = async (prefix: string, urlNow: () => string) =>
      `agents.example.com:${await startSecureFront(authority.issue(["agents.example.com"]), prefix, urlNow)}`;
    const target = await front("/api-host", () => service.url);
    const agent = await front("/agent", () => service.deployments()[0]?.url ?? "");
    // A service elsewhere does not name an address of this machine.
    const edit = (deployment: unknown) => Object.assign({}, deployment, { url: `https://${agent}/agent` });
    const match = { method: "GET", path: /\/v2\/deployments\/[^/]+$/ };
    service.faults.add({ match, times: Infinity, do: { kind: "edit", edit } });
    const workflow = shown
      .replace("agents.example.com/", `${target}/`)
      .replace("http://proxy.example.com:3128", proxy.url);
    await commit(".github/workflows/workflow-0.yml", workflow);
    const { exitCode, log } = await run({ vars: { INTERNAL_CA: authority.cert } });
    expect(exitCode, log.text).toBe(0);
    expect(log.text).toContain("::set-output:: outcome=deployed");
    expect(new Set(proxy.requests.map((request) => `${request.method} ${request.target}`))).toEqual(
      new Set([`CONNECT ${target}`, `CONNECT ${agent}`]),
    );
    expect(log.leaked(SECRETS)).toEqual([]);
  });
});

/** A recipe that shows our step alone goes after the checkout that every job of this kind begins with. */
function withCheckout(workflow: string): string {
  if (workflow.includes("actions/checkout@")) return workflow;
  return workflow.replace(
    /^( *)steps:\n/m,
    (line, indent: string) => `${line}${indent}  - uses: actions/checkout@v7\n`,
  );
}

/** Where our step is in a workflow: what shows less than a whole one has a head that the page does not have. */
function ourStep(workflow: string): number {
  return workflow.split("\n").findIndex((line) => line.includes("uses: OWNER/graph-deploy"));
}

/** The heading under which a line of a page is. */
function headingAbove(page: string, line: number): string {
  const above = page.split("\n").slice(0, line);
  return above.findLast((text) => /^#+ /.test(text))?.replace(/^#+ /, "") ?? "";
}
