import { describe, expect, test } from "vitest";
import { REVISION_STATUSES, type UnsuccessfulEnd } from "../../../src/contract/revision-status.ts";
import type { LocalService } from "../../../src/local/index.ts";
import {
  withService,
  IMAGE_CREATE,
  call,
  create,
  deployed,
  patch,
  release,
  settled,
  start,
  upload,
} from "../caller.ts";
import { projectTarball } from "../tarball.ts";

const BUILD_WALK = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];
const IMAGE_WALK = ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING"];

async function newImage(service: LocalService, id: string, image_uri: string): Promise<string> {
  const reply = await patch(service, id, { source_revision_config: { image_uri } });
  return (reply.json as { latest_revision_id: string }).latest_revision_id;
}

describe("the way of a revision", () => {
  withService("of an image has no build", async (service) => {
    const { id, latest_revision_id } = await create(service, IMAGE_CREATE);
    const revision = await settled(service, id, latest_revision_id);
    expect(revision.history).toEqual([...IMAGE_WALK, "DEPLOYED"]);
  });

  test("takes the time that is set, and each status can be seen", { tags: "slow" }, async () => {
    const service = await start({ walkMilliseconds: 3_000 });
    const { id, latest_revision_id } = await create(service, IMAGE_CREATE);
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          const reply = await call(service.url, "GET", `/v2/deployments/${id}/revisions/${latest_revision_id}`);
          const { status } = reply.json as { status: string };
          seen.add(status);
          return status;
        },
        { interval: 1 },
      )
      .toBe("DEPLOYED");
    expect([...seen]).toEqual([...IMAGE_WALK, "DEPLOYED"]);
  });

  const ends: Readonly<Record<UnsuccessfulEnd, readonly string[]>> = {
    CREATE_FAILED: ["CREATING"],
    SKIPPED: BUILD_WALK.slice(0, 2),
    BUILD_FAILED: BUILD_WALK.slice(0, 4),
    INTERRUPTED: BUILD_WALK.slice(0, 4),
    DEPLOY_FAILED: BUILD_WALK,
  };
  test.each(Object.entries(ends))("can end as %s", async (end, before) => {
    const service = await start();
    const { id } = await create(service);
    service.faults.nextRevision({ end, message: "out of quota", log: ["the last words"] });
    const revision = await settled(service, id, await release(service, id));
    expect(revision).toMatchObject({ status: end, status_message: "out of quota", history: [...before, end] });
    expect(service.deployments()[0]).toMatchObject({ url: null, active_revision_id: null });
  });

  test("leads through every status that there is but UNKNOWN", () => {
    const walked = new Set([...BUILD_WALK, ...IMAGE_WALK, "DEPLOYED", ...Object.keys(ends)]);
    expect(REVISION_STATUSES.filter((status) => !walked.has(status))).toEqual(["UNKNOWN"]);
  });

  withService("can end with, or lead through, unknown statuses", async (service) => {
    const { id } = await create(service, IMAGE_CREATE);
    service.faults.nextRevision({ end: "HIBERNATED" });
    const odd = await newImage(service, id, "registry.example/agent:2");
    await expect.poll(() => service.revisions(id)[0]).toMatchObject({ id: odd, status: "HIBERNATED" });
    const walk = ["CREATING", "SCANNING", "DEPLOYED"];
    service.faults.nextRevision({ walk });
    const revision = await settled(service, id, await newImage(service, id, "registry.example/agent:3"));
    expect(revision.history).toEqual(walk);
    expect(service.deployments()[0]?.active_revision_id).toBe(revision.id);
  });

  withService("stops at a status until it is released", async (service) => {
    const { id } = await create(service);
    service.faults.nextRevision({ hold: "BUILDING" });
    const revisionId = await release(service, id);
    await expect.poll(() => service.revisions(id)[0]?.status).toBe("BUILDING");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(service.revisions(id)[0]?.status).toBe("BUILDING");
    service.faults.revisions.release();
    expect((await settled(service, id, revisionId)).status).toBe("DEPLOYED");
  });

  test(
    "a revision that is released as soon as its status can be seen is not held for ever",
    { tags: "slow" },
    async () => {
      const service = await start({ walkMilliseconds: 600 });
      const { id } = await create(service);
      service.faults.nextRevision({ hold: "BUILDING" });
      const revisionId = await release(service, id);
      await expect.poll(() => service.revisions(id)[0]?.status, { interval: 1 }).toBe("BUILDING");
      service.faults.revisions.release();
      expect((await settled(service, id, revisionId)).status).toBe("DEPLOYED");
    },
  );
});

describe("revisions of one deployment", () => {
  withService("the first waits for its source, and is skipped by the update that brings one", async (service) => {
    const { id, latest_revision_id } = await create(service);
    await expect.poll(() => service.revisions(id)[0]?.status).toBe("QUEUED");
    const revisionId = await release(service, id);
    expect(await settled(service, id, latest_revision_id)).toMatchObject({ status: "SKIPPED" });
    expect((await settled(service, id, revisionId)).status).toBe("DEPLOYED");
    expect(service.revisions(id).map((revision) => revision.id)).toEqual([revisionId, latest_revision_id]);
  });

  withService("a later one waits in QUEUED for the one before it, and both are deployed in order", async (service) => {
    const { id, latest_revision_id: first } = await create(service, IMAGE_CREATE);
    service.faults.nextRevision({ hold: "DEPLOYING" });
    await settled(service, id, first);
    const second = await newImage(service, id, "registry.example/agent:2");
    await expect.poll(() => service.revisions(id)[0]?.status).toBe("DEPLOYING");
    const third = await newImage(service, id, "registry.example/agent:3");
    await expect.poll(() => service.revisions(id)[0]).toMatchObject({ id: third, status: "QUEUED" });
    expect(service.deployments()[0]).toMatchObject({ latest_revision_id: third, active_revision_id: first });
    service.faults.revisions.release();
    expect((await settled(service, id, second)).status).toBe("DEPLOYED");
    expect((await settled(service, id, third)).status).toBe("DEPLOYED");
    expect(service.deployments()[0]?.active_revision_id).toBe(third);
  });

  withService("one that only waits is skipped by a newer one", async (service) => {
    service.faults.nextRevision({ hold: "DEPLOYING" });
    const { id, latest_revision_id: first } = await create(service, IMAGE_CREATE);
    await expect.poll(() => service.revisions(id)[0]?.status).toBe("DEPLOYING");
    const second = await newImage(service, id, "registry.example/agent:2");
    const third = await newImage(service, id, "registry.example/agent:3");
    expect(service.revisions(id).find((revision) => revision.id === second)).toMatchObject({
      status: "SKIPPED",
      status_message: expect.stringContaining("newer"),
    });
    service.faults.revisions.release();
    expect((await settled(service, id, first)).status).toBe("DEPLOYED");
    expect((await settled(service, id, third)).status).toBe("DEPLOYED");
    expect((await settled(service, id, second)).history.at(-1)).toBe("SKIPPED");
  });

  withService("one that fails leaves the one before it serving, and the next one may go", async (service) => {
    const { id, revisionId, url } = await deployed(service);
    service.faults.nextRevision({ end: "DEPLOY_FAILED" });
    await settled(service, id, await release(service, id));
    const host = async () => (await call(url, "GET", "/info")).json;
    expect(await host()).toMatchObject({ host: { host_revision_id: revisionId } });
    const next = await release(service, id);
    await settled(service, id, next);
    expect(await host()).toMatchObject({ host: { host_revision_id: next } });
  });

  withService("an update keeps what it does not name from the revision before", async (service) => {
    const { id } = await deployed(service);
    const path = await upload(service, id, projectTarball());
    await patch(service, id, { source_revision_config: { source_tarball_path: path } });
    expect(service.revisions(id)[0]?.source_revision_config).toMatchObject({
      graph_config_path: "graph.json",
      source_tarball_path: path,
    });
  });

  withService("are listed newest first, paged, and filtered by status", async (service) => {
    const { id, revisionId } = await deployed(service);
    const failing = { end: "BUILD_FAILED" };
    service.faults.nextRevision(failing);
    const failed = await release(service, id);
    await settled(service, id, failed);
    const ids = async (query: string) => {
      const { json } = await call(service.url, "GET", `/v2/deployments/${id}/revisions${query}`);
      return (json as { resources: { id: string }[] }).resources.map((revision) => revision.id);
    };
    expect((await ids("")).slice(0, 2)).toEqual([failed, revisionId]);
    expect(await ids("?limit=1")).toEqual([failed]);
    expect(await ids("?limit=1&offset=1")).toEqual([revisionId]);
    expect(await ids("?status=DEPLOYED,CREATING")).toEqual([revisionId]);
  });
});

describe("another user", () => {
  withService("makes a revision right after the next update, with a tarball of their own", async (service) => {
    const { id } = await create(service);
    service.faults.conditions.foreignRevisions = 1;
    const ours = await release(service, id);
    const [foreign, own] = service.revisions(id);
    expect(own?.id).toBe(ours);
    expect(foreign?.source_revision_config.source_tarball_path).not.toBe(
      own?.source_revision_config.source_tarball_path,
    );
    expect((await settled(service, id, ours)).status).toBe("DEPLOYED");
    expect((await settled(service, id, foreign?.id ?? "")).status).toBe("DEPLOYED");
    expect(service.deployments()[0]?.active_revision_id).toBe(foreign?.id);
    await release(service, id);
    expect(service.revisions(id)).toHaveLength(4);
  });

  withService("an update can make no revision, though it should", async (service) => {
    const { id, latest_revision_id } = await create(service, IMAGE_CREATE);
    service.faults.conditions.patchesWithoutRevision = 1;
    expect(await newImage(service, id, "registry.example/agent:2")).toBe(latest_revision_id);
    expect(service.revisions(id)).toHaveLength(1);
    expect(await newImage(service, id, "registry.example/agent:2")).not.toBe(latest_revision_id);
  });
});
