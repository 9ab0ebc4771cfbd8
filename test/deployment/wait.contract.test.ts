import { describe, expect, test } from "vitest";
import type { UnsuccessfulEnd } from "../../src/contract/revision-status.ts";
import {
  CancelledError,
  deploy as deployWith,
  SupersededError,
  type DeployEvent,
  type Outcome,
} from "../../src/index.ts";
import { noLogs } from "../../src/local/faults/faults.ts";
import { FastClock } from "../wire/clocks.ts";
import { withRig, rig } from "./rig.ts";

const FAILURES: Readonly<Record<UnsuccessfulEnd, Outcome>> = {
  BUILD_FAILED: "build-failed",
  CREATE_FAILED: "deploy-failed",
  DEPLOY_FAILED: "deploy-failed",
  INTERRUPTED: "interrupted",
  SKIPPED: "superseded",
};

describe("a revision that does not go live", () => {
  test.each(Object.entries(FAILURES))("%s ends as %s and names the revision", async (end, outcome) => {
    const { deploy, service, of } = await rig();
    service.faults.nextRevision({ end });
    const error: unknown = await deploy().catch((caught: unknown) => caught);
    const id = service.deployments()[0]?.latest_revision_id ?? "";
    expect(error).toMatchObject({ outcome, message: expect.stringContaining(`revision ${id} `) });
    expect(of("ended")).toMatchObject([{ outcome }]);
  });

  withRig("a failed build shows the last lines of its log", async ({ deploy, service, of }) => {
    service.faults.nextRevision({ end: "BUILD_FAILED", log: ["npm ERR! missing script: build"] });
    await expect(deploy()).rejects.toThrow("ended as BUILD_FAILED");
    expect(of("revision-logs")[0]?.kind).toBe("build");
    expect(of("revision-logs")[0]?.lines.at(-1)?.message).toContain("missing script: build");
  });

  test.each([["missing"], ["broken"]])("logs that are %s never hide the failure", async (how) => {
    const { deploy, service } = await rig();
    service.faults.nextRevision({ end: "BUILD_FAILED" });
    if (how === "missing") service.faults.add(noLogs());
    else service.faults.add({ match: { path: /logs$/ }, times: 9, do: { kind: "answer", status: 422 } });
    await expect(deploy()).rejects.toThrow("ended as BUILD_FAILED");
  });

  test.each([
    ["pip failed", "after 0 s. pip failed. The previous"],
    ["pip failed.", "after 0 s. pip failed. The previous"],
  ])("the service's message %j ends with one full stop", async (message, sentence) => {
    const { deploy, service } = await rig();
    await deploy();
    service.faults.nextRevision({ end: "BUILD_FAILED", message });
    await expect(deploy()).rejects.toThrow(sentence);
  });

  withRig("a failed revision does not touch what served before", { tags: "slow" }, async ({ deploy, service }) => {
    await deploy();
    service.faults.nextRevision({ end: "DEPLOY_FAILED" });
    await expect(deploy()).rejects.toThrow("The previous revision is still serving.");
  });
});

describe("another user deploys at the same time", () => {
  withRig("a DEPLOYED revision that is not the latest is superseded", async ({ deploy, service }) => {
    await deploy();
    service.faults.conditions.foreignRevisions = 1;
    const error: unknown = await deploy().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SupersededError);
    const latest = service.deployments()[0]?.latest_revision_id ?? "";
    expect(error).toMatchObject({ message: expect.stringContaining(latest), outcome: "superseded" });
  });

  withRig("that is a success where it is declared to be one", { tags: "slow" }, async ({ deploy, service, of }) => {
    await deploy();
    service.faults.conditions.foreignRevisions = 1;
    const result = await deploy({ onSuperseded: "succeed" });
    expect(result.outcome).toBe("superseded");
    expect(result.revisionId).not.toBe(service.deployments()[0]?.latest_revision_id);
    expect(of("ended").at(-1)).toMatchObject({ outcome: "superseded", error: undefined });
  });
});

describe("the wait", () => {
  withRig("continues through an unknown status, with one warning", async ({ deploy, service, of }) => {
    service.faults.nextRevision({
      walk: ["CREATING", "QUEUED", "SCANNING", "BUILDING", "SCANNING", "DEPLOYING", "DEPLOYED"],
    });
    service.faults.add({
      match: { path: /revisions\/[^/]+$/ },
      skip: 1,
      times: 2,
      do: { kind: "edit", edit: (json) => ({ ...(json as object), status: "SCANNING" }) },
    });
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
    expect(of("warning").filter(({ message }) => message.includes("SCANNING"))).toHaveLength(1);
  });

  withRig("survives several failed looks in a row", async ({ deploy, service }) => {
    service.faults.add({
      match: { path: /revisions\/[^/]+$/ },
      skip: 1,
      times: 3,
      do: { kind: "answer", status: 502 },
    });
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
  });

  test.each([1_000, 10_000, 60_000])(
    "continues through an outage of five minutes, with pauses of %i ms",
    { tags: "slow" },
    async (pollCapMilliseconds) => {
      const clock = new FastClock();
      const { request, deps, service } = await rig({}, undefined, clock);
      const looks = { method: "GET", path: /revisions\/[^/]+$/ } as const;
      const away = service.faults.add({ skip: 1, times: Infinity, match: looks, do: { kind: "reset" } });
      let since: number | undefined;
      const emit = ({ type }: DeployEvent) => {
        if (type !== "look-failed") return;
        since ??= clock.now();
        if (clock.now() - since >= 300_000) away.remove();
      };
      const patient = request({ timeoutMilliseconds: 86_400_000, pollCapMilliseconds });
      expect(await deployWith(patient, { ...deps, emit })).toMatchObject({ outcome: "deployed" });
      expect(clock.now()).toBeGreaterThan(300_000);
    },
  );

  test.each([1_000, 60_000])(
    "ends when the service stays away, with pauses of %i ms",
    { tags: "slow" },
    async (pollCapMilliseconds) => {
      const clock = new FastClock();
      const { deploy, service, of } = await rig({}, undefined, clock);
      const looks = { method: "GET", path: /revisions\/[^/]+$/ } as const;
      service.faults.add({ skip: 1, times: Infinity, match: looks, do: { kind: "answer", status: 503 } });
      const patient = { timeoutMilliseconds: 86_400_000, pollCapMilliseconds };
      await expect(deploy(patient)).rejects.toMatchObject({
        code: "WAIT",
        revisionId: service.deployments()[0]?.latest_revision_id ?? expect.any(String),
      });
      const waited = of("wait-ended")[0]?.elapsedMilliseconds ?? 0;
      expect(waited).toBeGreaterThan(300_000);
      expect(waited).toBeLessThan(500_000);
    },
  );

  test("ends at its timeout also during an outage", async () => {
    const { deploy, service } = await rig({}, undefined, new FastClock());
    const looks = { method: "GET", path: /revisions\/[^/]+$/ } as const;
    service.faults.add({ skip: 1, times: Infinity, match: looks, do: { kind: "reset" } });
    await expect(deploy({ timeoutMilliseconds: 120_000, pollCapMilliseconds: 10_000 })).rejects.toMatchObject({
      outcome: "timed-out",
    });
  });

  withRig("ends at its timeout, leaves the revision alone and says how to continue", async ({ deploy, service }) => {
    service.faults.nextRevision({ walk: ["BUILDING", "DEPLOYED"], hold: "BUILDING" });
    const error: unknown = await deploy({ timeoutMilliseconds: 300 }).catch((caught: unknown) => caught);
    const { id = "", latest_revision_id = "" } = service.deployments()[0] ?? {};
    expect(error).toMatchObject({
      outcome: "timed-out",
      message: expect.stringMatching(`revision ${latest_revision_id ?? ""}.* is still BUILDING`),
      advice: expect.stringContaining(id),
    });
    expect(service.revisions(id)[0]?.status).toBe("BUILDING");
  });

  test("ends at its timeout also when the service does not answer a look", async () => {
    const clock = new FastClock();
    const { deploy, service } = await rig({}, undefined, clock);
    service.faults.nextRevision({ hold: "BUILDING" });
    const stalled = service.faults.add({
      skip: 1,
      times: 9,
      match: { method: "GET", path: /revisions\/[^/]+$/ },
      do: { kind: "stall" },
    });
    const ended = deploy({ timeoutMilliseconds: 8_000 }).catch((caught: unknown) => caught);
    await expect.poll(() => stalled.hits).toBe(1);
    clock.pass(8_000);
    expect(await ended).toMatchObject({ outcome: "timed-out" });
    expect(stalled.hits).toBe(1);
  });

  withRig("survives a service that is away longer than a few looks", async ({ deploy, service }) => {
    const times = 8 * 4;
    service.faults.add({ skip: 1, times, match: { path: /revisions\/[^/]+$/ }, do: { kind: "reset" } });
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
  });

  test("ends a minute after the revision is gone", async () => {
    const clock = new FastClock();
    const { request, deps, service, connection, of } = await rig({}, undefined, clock);
    service.faults.nextRevision({ hold: "BUILDING" });
    const emit = (event: DeployEvent) => {
      deps.emit(event);
      if (event.type !== "revision-started") return;
      clock.meanwhile = async () => void (await connection.controlPlane.delete(event.deploymentId));
    };
    const patient = request({ timeoutMilliseconds: 600_000, pollCapMilliseconds: 5_000 });
    await expect(deployWith(patient, { ...deps, emit })).rejects.toThrow("can no longer be followed");
    expect(of("look-failed").length).toBeGreaterThan(10);
    expect(of("wait-ended")[0]?.elapsedMilliseconds).toBeLessThan(120_000);
  });

  test("ends at once when the run is cancelled, and says what continues", async () => {
    const { deploy, service, cancel, of } = await rig();
    service.faults.nextRevision({ hold: "BUILDING" });
    const running = deploy();
    await expect.poll(() => of("revision-status").at(-1)?.revision.status).toBe("BUILDING");
    cancel.abort();
    const error: unknown = await running.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toMatchObject({ message: expect.stringContaining(of("revision-started")[0]?.revisionId ?? "-") });
    expect(of("ended")).toMatchObject([{ outcome: "cancelled" }]);
    const [seen] = of("revision-status").slice(-1);
    expect(of("wait-ended")[0]?.elapsedMilliseconds).toBeGreaterThanOrEqual(seen?.elapsedMilliseconds ?? Infinity);
  });
});
