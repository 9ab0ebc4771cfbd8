import { expect, test } from "vitest";
import { read } from "../../../../pulumi-provider/core/operations/read.ts";
import { IMAGE, REPOSITORY } from "../../context.ts";
import { rig } from "../../rig.ts";

const OTHER = { source_revision_config: { image_uri: "registry/agent:9" } };

/** A deployment that another client has changed, as a refresh finds it. */
async function changedOutside(program: typeof IMAGE | typeof REPOSITORY, ...patches: readonly object[]) {
  const { service, operation, ...steps } = await rig();
  const made = await steps.create({ ...program });
  const { controlPlane } = operation.deps;
  for (const patch of patches) {
    const { source_config: sourceConfig, latest_revision_id } = await controlPlane.get(made.id);
    const revision = service.revisions(made.id).length;
    await controlPlane.patch(made.id, patch, {
      source: program.source,
      sourceConfig,
      latestRevisionId: latest_revision_id ?? null,
      lagMilliseconds: 0,
    });
    await expect.poll(() => service.revisions(made.id).length).toBe(revision + 1);
    await expect.poll(() => service.revisions(made.id)[0]?.status).toBe("DEPLOYED");
  }
  const refreshed = (await read(made.id, made.properties, operation)) ?? {};
  const writes = () => service.requests.filter(({ method }) => method !== "GET").length;
  return { service, ...steps, made, refreshed: { id: made.id, properties: refreshed }, writes };
}

test.each([
  ["an image", IMAGE, { source_revision_config: { image_uri: IMAGE.imageUri } }],
  ["a branch that was built again", REPOSITORY, { source_revision_config: { repo_ref: "main" } }],
])(
  "a revision of another client that is exactly as the program says is no difference: %s",
  async (_, program, patch) => {
    const { refreshed, service, diff, made } = await changedOutside(program, patch);
    expect(refreshed.properties).toMatchObject({
      managedRevisionId: service.revisions(made.id)[0]?.id,
      status: "DEPLOYED",
      drift: [],
    });
    expect(await diff(refreshed, program)).toMatchObject({ changes: false });
  },
);

test("one of another image, or with secrets that the service does not show, is", async () => {
  const other = await changedOutside(IMAGE, OTHER);
  expect(other.refreshed.properties["managedRevisionId"]).toBe(other.made.properties["managedRevisionId"]);
  expect(await other.diff(other.refreshed, IMAGE)).toMatchObject({ changes: true, work: "revision" });
  const program = { ...IMAGE, secrets: { TOKEN: "value-of-the-token" } };
  const hidden = await changedOutside(program, { source_revision_config: { image_uri: IMAGE.imageUri } });
  expect(await hidden.diff(hidden.refreshed, program)).toMatchObject({ changes: true });
});

test("an update to what the service already has makes no revision, unless a trigger asks for one", async () => {
  const { refreshed, service, made, update, writes } = await changedOutside(IMAGE, OTHER);
  const before = writes();
  const next = { ...IMAGE, imageUri: "registry/agent:9" };
  const updated = await update(refreshed, next);
  expect(writes()).toBe(before);
  expect(updated.properties).toMatchObject({
    imageUri: "registry/agent:9",
    managedRevisionId: service.revisions(made.id)[0]?.id,
    status: "DEPLOYED",
  });
  await update(updated, { ...next, triggers: [1] });
  expect(service.revisions(made.id)).toHaveLength(3);
});
