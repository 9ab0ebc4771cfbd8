import { expect, test } from "vitest";
import { IMAGE, PINNED, REPOSITORY, UNKNOWN } from "../../context.ts";
import { ProviderRun, service, stackOf, writes } from "../../provider-run.ts";

const KEY = "key-of-the-test-0123456789";

/** A deployment of another user, and a run that finds it. */
async function foreign(program: object) {
  const there = await service(KEY);
  const run = () => new ProviderRun(stackOf(there.url, KEY));
  const made = await run().create({ ...program });
  const before = writes(there).length;
  return { there, run, made, written: () => writes(there).slice(before) };
}

test.each([
  ["an image", PINNED],
  ["a repository with settings", { ...REPOSITORY, sourceConfig: { integration_id: "ours" } }],
])("what is exactly as the program says is adopted as it is: %s", async (_what, program) => {
  const { run, made, written } = await foreign(program);
  const next = run();
  const adopted = await next.create({ ...program, adopt: "ifExists" });
  expect(written()).toEqual([]);
  expect(adopted).toMatchObject({
    id: made.id,
    outputs: {
      __internals: { adopted: true },
      managedRevisionId: made.outputs["managedRevisionId"],
      status: "DEPLOYED",
    },
  });
  expect(next.messages).toContain(`a: adopts deployment ${made.id}, which already exists, without a new revision.`);
  expect(await run().diff(adopted, { ...program, adopt: "ifExists" })).toMatchObject({ changes: false });
});

test.each([
  ["another image", { imageUri: "registry/agent:2" }],
  ["another setting", { sourceConfig: { custom_url: "https://agent.example" } }],
  ["secrets that the service does not show", { secrets: { TOKEN: "value-of-the-token" } }],
])("what differs gets one revision: %s", async (_what, change) => {
  const { there, run, made } = await foreign(PINNED);
  const next = run();
  const adopted = await next.create({ ...PINNED, ...change, adopt: "ifExists" });
  expect(adopted).toMatchObject({ id: made.id, outputs: { __internals: { adopted: true }, status: "DEPLOYED" } });
  expect(there.revisions(made.id)).toHaveLength(2);
  expect(next.messages).toContain("which already exists, with a new revision.");
});

test("a deployment whose latest revision failed gets one", async () => {
  const there = await service(KEY);
  there.faults.nextRevision({ end: "DEPLOY_FAILED" });
  const run = () => new ProviderRun(stackOf(there.url, KEY));
  await expect(run().create(IMAGE)).rejects.toThrow("DEPLOY_FAILED");
  const { outputs } = await run().create({ ...IMAGE, adopt: "ifExists" });
  expect(outputs["status"]).toBe("DEPLOYED");
});

test("a preview says what it knows, and nothing of what it does not find or of what the resource holds already", async () => {
  const { run, made } = await foreign(IMAGE);
  const preview = run();
  await preview.checked({ ...IMAGE, imageUri: UNKNOWN, adopt: "ifExists" });
  await preview.checked({ ...IMAGE, name: "other", adopt: "ifExists" });
  await preview.checked({ ...IMAGE, name: UNKNOWN, adopt: "ifExists" });
  await preview.checked({ ...IMAGE, controlPlaneUrl: UNKNOWN, adopt: "ifExists" });
  await preview.checked({ ...IMAGE });
  expect(preview.messages).toBe(`info: a: adopts deployment ${made.id}, which already exists.`);
  const replacing = run();
  await replacing.diff(made, { ...REPOSITORY, adopt: "ifExists" });
  await replacing.checked({ ...REPOSITORY, adopt: "ifExists" });
  expect(replacing.messages).not.toContain("adopts");
});

test("a preview of an adoption is no failure while the service is away", async () => {
  const { there, run } = await foreign(IMAGE);
  there.faults.add({ do: { kind: "answer", status: 403 }, times: 50 });
  const preview = run();
  await preview.checked({ ...IMAGE, adopt: "ifExists" });
  expect(preview.messages).toMatch(/^warning: a: could not check whether there is a deployment to adopt: .*403/);
});
