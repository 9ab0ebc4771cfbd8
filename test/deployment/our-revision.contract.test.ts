import { expect, test } from "vitest";
import * as z from "zod";
import { SupersededError } from "../../src/index.ts";
import { rig } from "./rig.ts";

const Sent = z.object({ source_revision_config: z.object({ source_tarball_path: z.string() }) });

test("a deploy waits for the revision of its own tarball when the answer names somebody else's", async () => {
  const { deploy, service, of } = await rig();
  const { deploymentId } = await deploy();
  service.faults.conditions.foreignRevisions = 1;
  service.faults.add({
    match: { method: "PATCH" },
    do: {
      kind: "edit",
      edit: (json) => ({ ...(json as object), latest_revision_id: service.revisions(deploymentId)[0]?.id }),
    },
  });
  await expect(deploy()).rejects.toThrow(SupersededError);
  const patch = service.requests.findLast(({ method }) => method === "PATCH");
  const { source_tarball_path: path } = Sent.parse(patch?.json).source_revision_config;
  const [foreign, ours] = service.revisions(deploymentId);
  expect(ours?.source_revision_config.source_tarball_path).toBe(path);
  expect(foreign?.source_revision_config.source_tarball_path).not.toBe(path);
  expect(of("revision-started").at(-1)).toMatchObject({ deploymentId, revisionId: ours?.id });
});

test("a revision that cannot be read yet is read a moment later", async () => {
  const { deploy, service } = await rig();
  const path = /\/revisions\/[^/]+$/;
  service.faults.add({ match: { path }, do: { kind: "answer", status: 404, body: { detail: "not found" } } });
  expect(await deploy()).toMatchObject({ outcome: "deployed", created: true });
});
