import { expect, test } from "vitest";
import { IMAGE } from "../../context.ts";
import { ProviderRun, service, stackOf, writes, type Kept } from "../../provider-run.ts";
import { HIDDEN } from "../../../../pulumi-provider/core/state/internals.ts";

const KEY = "key-of-the-test-0123456789";
const ADOPTING = { ...IMAGE, adopt: "ifExists" };
const DELETE = "DELETE /v2/deployments/ID";

/** Two resources of a state that hold one deployment: a rename whose run failed elsewhere leaves them. */
async function two() {
  const there = await service(KEY);
  const run = () => new ProviderRun(stackOf(there.url, KEY));
  const made = await run().create(IMAGE);
  const adopted = await run().create(ADOPTING);
  expect(adopted.id).toBe(made.id);
  const deletes = () => writes(there).filter((request) => request === DELETE);
  return { there, run, made, adopted, deletes };
}

test("ids that differ in case are one deployment", async () => {
  const { run, made, adopted, deletes } = await two();
  const next = run();
  await next.diff({ ...adopted, id: adopted.id.toUpperCase() }, ADOPTING);
  await next.delete(made);
  expect(deletes()).toEqual([]);
});

test("a resource that is replaced deletes what it alone holds", { tags: "slow" }, async () => {
  const { run, made, deletes } = await two();
  const next = run();
  await next.diff(made, { ...IMAGE, name: "b" });
  await next.delete(made);
  expect(deletes()).toEqual([DELETE]);
});

// A destroy that refreshes or runs the program asks for the differences before, another one does not.
test.each([
  { first: "made", isDiffed: true },
  { first: "made", isDiffed: false },
  { first: "adopted", isDiffed: true },
  { first: "adopted", isDiffed: false },
])("when all that hold a deployment go, it is deleted once: %j", async ({ first, isDiffed }) => {
  const { run, made, adopted, deletes } = await two();
  const next = run();
  if (isDiffed) await next.diff(made, IMAGE);
  if (isDiffed) await next.diff(adopted, ADOPTING);
  for (const resource of first === "made" ? [made, adopted] : [adopted, made]) await next.delete(resource);
  expect(deletes()).toEqual([DELETE]);
});

test("state of an earlier version is distinguished by its revision", async () => {
  const { run, made, adopted, deletes } = await two();
  const old = ({ id, outputs: { [HIDDEN]: _, ...outputs } }: Kept, revision: string): Kept => ({
    id,
    outputs: { ...outputs, managedRevisionId: revision },
  });
  const next = run();
  await next.diff(old(adopted, "r-2"), ADOPTING);
  await next.delete(old(made, "r-1"));
  expect(deletes()).toEqual([]);
  await next.delete(old(adopted, "r-2"));
  expect(deletes()).toEqual([DELETE]);
});

test("what an update of this run wrote is still the same resource", async () => {
  const { run, made, deletes } = await two();
  const next = run();
  const program = { ...IMAGE, timeoutSeconds: 5 };
  await next.diff(made, program);
  await next.delete(await next.update(made, program));
  expect(deletes()).toEqual([DELETE]);
});
