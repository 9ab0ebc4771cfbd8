import { onTestFinished, describe, expect, test } from "vitest";
import { deploy, type DeployRequest } from "../../src/index.ts";
import { runFaults } from "../../src/contract/run-rules.ts";
import { Run } from "../../src/contract/run.ts";
import { DeployTrace } from "../../src/deployment/deploy-trace.ts";
import { systemClock } from "../../src/http/clock.ts";
import { Tracer } from "../../src/tracing/tracer/tracer.ts";
import { ingest } from "../tracing/rig.ts";
import { RunServer } from "../tracing/run-server.ts";
import { withRig, rig, type Rig } from "./rig.ts";

/** Deploys, and answers the runs of its trace in the order of their places. */
async function traced(of: Rig, change: Partial<DeployRequest> = {}) {
  const server = await RunServer.start();
  const sender = ingest(server.url, { clock: systemClock });
  const tracer = new Tracer({ ingest: sender, clock: systemClock, session: { session_name: "deploys" } });
  const trace = new DeployTrace(tracer, "deploy support-agent", { inputs: { commit: "4f1c09a" } });
  onTestFinished(() => sender.close().then(() => undefined));
  const emit: typeof of.deps.emit = (event) => {
    trace.note(event);
    of.deps.emit(event);
  };
  const result = await deploy(of.request(change), { ...of.deps, emit }).catch((error: unknown) => error);
  await tracer.flush();
  const runs = [...server.runs.values()].map((run) => Run.parse(run));
  expect(runs.flatMap((run) => runFaults(run, { made: true }))).toEqual([]);
  expect(runs.filter(({ trace_id: id }) => id !== trace.id)).toEqual([]);
  runs.sort((left, right) => ((left.dotted_order ?? "") < (right.dotted_order ?? "") ? -1 : 1));
  return { result, runs };
}

describe("a deploy that is traced", () => {
  test(
    "is a run, and each of its steps is one below it, with bytes, statuses and durations",
    { tags: "slow" },
    async () => {
      const world = await rig({ walkMilliseconds: 1_000 });
      const { result, runs: all } = await traced(world);
      // A revision that waits is seen, or not.
      const runs = all.filter(({ name }) => name !== "queue");
      expect(runs.map(({ name }) => name)).toEqual([
        "deploy support-agent",
        "archive",
        "upload",
        "build",
        "deploy",
        "verify",
      ]);
      const [root, archive, upload, build, rollout, verify] = runs;
      expect(root).toMatchObject({ inputs: { commit: "4f1c09a" }, outputs: { outcome: "deployed", files: 3 } });
      expect(result).toMatchObject({
        deploymentId: (root?.outputs as { deployment_id?: string } | undefined)?.deployment_id,
        revisionId: (root?.outputs as { revision_id?: string } | undefined)?.revision_id,
      });
      const [packed] = world.of("source-packed");
      expect(archive?.outputs).toEqual({ bytes: packed?.archive.bytes, digest: packed?.archive.digest });
      expect(upload?.outputs).toEqual({ bytes: packed?.archive.bytes });
      expect(build?.outputs).toMatchObject({ statuses: [{ status: "AWAITING_BUILD" }, { status: "BUILDING" }] });
      expect(rollout?.outputs).toMatchObject({ statuses: [{ status: "AWAITING_DEPLOY" }, { status: "DEPLOYING" }] });
      expect(verify?.outputs).toMatchObject({ graphs: { served: 2, expected: 2 } });
      const whole = (run?: Run) => Date.parse(String(run?.end_time)) - Date.parse(String(run?.start_time));
      expect(whole(root)).toBeGreaterThanOrEqual(whole(build) + whole(rollout));
    },
  );

  test("that fails is a run with its error, and so is the step that was at work", { tags: "slow" }, async () => {
    const world = await rig({ walkMilliseconds: 1_000 });
    world.service.faults.nextRevision({ end: "BUILD_FAILED" });
    const { result, runs } = await traced(world);
    expect(result).toBeInstanceOf(Error);
    expect(runs[0]).toMatchObject({ name: "deploy support-agent", outputs: { outcome: expect.any(String) } });
    expect(runs[0]?.error).toContain("BUILD_FAILED");
    expect(runs.flatMap(({ name, error }) => (name === "build" ? [error] : []))).toEqual(["BUILD_FAILED"]);
    expect(runs.map(({ name }) => name)).not.toContain("verify");
  });

  withRig("that cannot upload is a run with its error", async (world) => {
    const put = { method: "PUT", path: /^\/objects\// };
    world.service.faults.add({ times: Infinity, match: put, do: { kind: "answer", status: 403 } });
    const { runs } = await traced(world);
    expect(runs.map(({ name, error }) => [name, error != null])).toEqual([
      ["deploy support-agent", true],
      ["archive", false],
      ["upload", true],
    ]);
  });

  withRig("whose smoke run fails is a run with its error, and the question with it", async (world) => {
    const smokeRun = { input: { fail: "no model key" }, graph: "support", expect: [] };
    const { runs } = await traced(world, { smokeRun });
    expect(runs[0]?.error).toContain("no model key");
    expect(runs.at(-1)).toMatchObject({ name: "verify", error: runs[0]?.error });
  });

  test("whose end no error explains is a run that failed, and so is each step that was at work", async () => {
    const server = await RunServer.start();
    const sender = ingest(server.url, { clock: systemClock });
    onTestFinished(() => sender.close().then(() => undefined));
    const tracer = new Tracer({ ingest: sender, clock: systemClock, session: { session_name: "deploys" } });
    const trace = new DeployTrace(tracer, "deploy support-agent");
    trace.note({ type: "upload-started" });
    trace.fail(undefined);
    await tracer.flush();
    const errors = [...server.runs.values()].map((run) => Run.parse(run).error);
    expect(errors).toEqual(["no error was given", "no error was given"]);
  });
});
