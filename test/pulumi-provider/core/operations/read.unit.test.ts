import { expect, test } from "vitest";
import { read } from "../../../../pulumi-provider/core/operations/read.ts";
import { IMAGE, PINNED, REPOSITORY } from "../../context.ts";
import { rig } from "../../rig.ts";

const NINE = `registry/agent@sha256:${"9".repeat(64)}`;
const OTHER = { source_revision_config: { image_uri: NINE } };

/** A deployment that another client has changed, as a refresh finds it. */
async function changedOutside(
  program: typeof IMAGE | typeof PINNED | typeof REPOSITORY,
  ...patches: readonly object[]
) {
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
  ["an image", PINNED, { source_revision_config: { image_uri: PINNED.imageUri } }],
  ["a branch that was built again", REPOSITORY, { source_revision_config: { repo_ref: "main" } }],
])(
  "a revision of another client that is exactly as the program says is no difference: %s",
  async (_, program, patch) => {
    const { refreshed, service, diff, made } = await changedOutside(program, patch);
    expect(refreshed.properties).toMatchObject({
      managedRevisionId: service.revisions(made.id)[0]?.id,
      status: "DEPLOYED",
      __internals: { drift: [] },
    });
    expect(await diff(refreshed, program)).toMatchObject({ changes: false });
  },
);

test(
  "one of another image, of a tag that may name another, or with secrets that the service does not show, is",
  { tags: "slow" },
  async () => {
    const other = await changedOutside(PINNED, OTHER);
    expect(other.refreshed.properties["managedRevisionId"]).toBe(other.made.properties["managedRevisionId"]);
    expect(await other.diff(other.refreshed, PINNED)).toMatchObject({ changes: true, work: "revision" });
    const tagged = await changedOutside(IMAGE, { source_revision_config: { image_uri: IMAGE.imageUri } });
    expect(await tagged.diff(tagged.refreshed, IMAGE)).toMatchObject({ changes: true, work: "revision" });
    const program = { ...PINNED, secrets: { TOKEN: "value-of-the-token" } };
    const hidden = await changedOutside(program, { source_revision_config: { image_uri: PINNED.imageUri } });
    expect(await hidden.diff(hidden.refreshed, program)).toMatchObject({ changes: true });
  },
);

test("an update to what the service already has makes no revision, unless a trigger asks for one", async () => {
  const { refreshed, service, made, update, writes } = await changedOutside(PINNED, OTHER);
  const before = writes();
  const next = { ...PINNED, imageUri: NINE };
  const updated = await update(refreshed, next);
  expect(writes()).toBe(before);
  expect(updated.properties).toMatchObject({
    imageUri: NINE,
    managedRevisionId: service.revisions(made.id)[0]?.id,
    status: "DEPLOYED",
  });
  await update(updated, { ...next, triggers: [1] });
  expect(service.revisions(made.id)).toHaveLength(3);
});
