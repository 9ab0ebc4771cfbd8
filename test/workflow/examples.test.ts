import { describe, expect, test } from "vitest";
import type { LocalService } from "../../src/local/index.ts";
import { example, needsAct, rig, SECRETS } from "./rig.ts";

needsAct();

const SAY = "Say how it ended";
const GREEN = ["Main actions/checkout@commit: success", "Main OWNER/graph-deploy@v1: success"];
const POST = "Post OWNER/graph-deploy@v1: success";

/** What the service has: the name of each deployment, and the statuses of the revisions that have a source. */
function standing(service: LocalService) {
  const uploaded = (id: string) =>
    service
      .revisions(id)
      .filter(({ source_revision_config: config }) => config.source_tarball_path != null)
      .map(({ status }) => status);
  return Object.fromEntries(service.deployments().map(({ id, name }) => [name, uploaded(id)]));
}

describe("deploy.yml", () => {
  test("deploys, hands its outputs to the next step, runs its post step, and shows no secret", async () => {
    const { run, service } = await rig([await example("deploy.yml")]);
    const { exitCode, log } = await run();
    expect(exitCode, log.text).toBe(0);
    expect(log.stages()).toEqual([...GREEN, `Main ${SAY}: success`, POST]);
    const outputs = log.outputs("deploy");
    expect(outputs).toMatchObject({ outcome: "deployed", status: "DEPLOYED", created: "true" });
    expect(log.printed(SAY)).toEqual([`deployed ${outputs["revision-id"] ?? "?"}`]);
    expect(log.summary()).toContain("support-agent is live");
    expect(log.leaked(SECRETS)).toEqual([]);
    expect(standing(service)).toEqual({ "support-agent": ["DEPLOYED"] });
  });

  test("is red when the build fails, with one annotation and the log, whose secrets are masked", async () => {
    const { run, service } = await rig([await example("deploy.yml")]);
    service.faults.nextRevision({ end: "BUILD_FAILED", log: ["collecting wheels", ...SECRETS.map((s) => `had ${s}`)] });
    const { exitCode, log } = await run();
    expect(exitCode).toBe(1);
    expect(log.jobs).toEqual({ "Deploy/deploy": "failure" });
    expect(log.annotations("error")).toEqual([
      expect.stringMatching(/::error.*support-agent: revision .* ended as BUILD_FAILED after /),
    ]);
    expect(log.printed("OWNER/graph-deploy@v1").join("\n")).toMatch(/collecting wheels\n.*had \*\*\*\n.*had \*\*\*/);
    expect(log.printed(SAY)).toEqual([`build-failed ${log.outputs("deploy")["revision-id"] ?? "?"}`]);
    expect(log.stages().at(-1)).toBe(POST);
    expect(log.leaked(SECRETS)).toEqual([]);
  });

  test("masks the key and the secrets itself where the workflow has them from elsewhere", async () => {
    const workflow = (await example("deploy.yml")).replaceAll("secrets.", "vars.");
    const { run, service } = await rig([workflow]);
    service.faults.nextRevision({ end: "BUILD_FAILED", log: SECRETS.map((s) => `had ${s}`) });
    const [GRAPH_API_KEY = "", MODEL_API_KEY = ""] = SECRETS;
    const none = { GRAPH_API_KEY: "", MODEL_API_KEY: "" };
    const { exitCode, log } = await run({ secrets: none, vars: { GRAPH_API_KEY, MODEL_API_KEY } });
    expect(exitCode).toBe(1);
    expect(log.printed("OWNER/graph-deploy@v1").join("\n")).toMatch(/had \*\*\*\n.*had \*\*\*/);
    expect(log.leaked(SECRETS)).toEqual([]);
  });

  test("is red at once, and says what to do, when the secret is not set", async () => {
    const { run, service } = await rig([await example("deploy.yml")]);
    const { exitCode, log } = await run({ secrets: { MODEL_API_KEY: "" } });
    expect(exitCode).toBe(1);
    expect(log.annotations("error").join("\n")).toContain("line 2 (MODEL_API_KEY) is empty");
    expect(log.printed(SAY)).toEqual(["failed"]);
    expect(service.requests).toEqual([]);
  });
});

describe("monorepo.yml", () => {
  test("deploys three agents side by side, each to a deployment of its own", async () => {
    const text = await example("monorepo.yml");
    const three = text.replace("[support, triage]", "[support, triage, refunds]");
    expect(three).not.toBe(text);
    const { start, service } = await rig([three]);
    for (let revision = 0; revision < 3; revision += 1) service.faults.nextRevision({ hold: "BUILDING" });
    const { result } = start();
    const building = { "support-agent": ["BUILDING"], "triage-agent": ["BUILDING"], "refunds-agent": ["BUILDING"] };
    // None of them can end before all of them are under way.
    await expect.poll(() => standing(service), { timeout: 30_000 }).toEqual(building);
    service.faults.clear();
    const { exitCode, log } = await result;
    expect(exitCode, log.text).toBe(0);
    expect(Object.values(log.jobs)).toEqual(["success", "success", "success"]);
    const jobs = Object.keys(log.jobs);
    expect(new Set(jobs.map((job) => log.outputs("1", job)["deployment-id"])).size).toBe(3);
    for (const job of jobs) expect(log.stages(job)).toEqual([...GREEN, POST]);
    expect(log.leaked(SECRETS)).toEqual([]);
  });

  test("deploys the other agents when one cannot be built", async () => {
    const { run, service } = await rig([await example("monorepo.yml")]);
    service.faults.nextRevision({ end: "BUILD_FAILED" });
    const { exitCode, log } = await run();
    expect(exitCode).toBe(1);
    expect(Object.values(standing(service)).flat().sort()).toEqual(["BUILD_FAILED", "DEPLOYED"]);
    const outcomes = Object.keys(log.jobs).map((job) => log.outputs("1", job)["outcome"]);
    expect(outcomes.sort()).toEqual(["build-failed", "deployed"]);
  });
});

test("rehearse.yml deploys to the embedded service, without a key or a service elsewhere", async () => {
  const { run, service } = await rig([await example("rehearse.yml")]);
  const none = { GRAPH_API_KEY: "", MODEL_API_KEY: "" };
  const { exitCode, log } = await run({ event: "pull_request", vars: { CONTROL_PLANE_URL: "" }, secrets: none });
  expect(exitCode, log.text).toBe(0);
  expect(log.stages()).toEqual([...GREEN, POST]);
  expect(log.outputs("1")).toMatchObject({ outcome: "deployed", created: "true" });
  expect(service.requests).toEqual([]);
});
