import { join } from "node:path";
import { readdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../source/temporary-tree.ts";
import { IMAGE } from "../../context.ts";
import { ProviderRun, service, stackOf, writes } from "../../provider-run.ts";

const KEY = "key-of-the-test-0123456789";
const ADOPTING = { ...IMAGE, adopt: "ifExists" };
const DELETE = "DELETE /v2/deployments/ID";
const TAKEN = "is kept: another resource of the program has taken it over.";

/** One machine: `run` is a process of the run with this engine. */
async function machine() {
  const there = await service(KEY);
  const directory = join(temporaryFolder(), "journal");
  const run = (engine: string) => new ProviderRun({ ...stackOf(there.url, KEY), machine: { directory, engine } });
  const deletes = () => writes(there).filter((request) => request === DELETE);
  const marks = () => readdirSync(directory).map((name) => join(directory, name));
  return { there, directory, run, deletes, marks };
}

test("what another process of the run adopts is not deleted by the resource that had it", async () => {
  const { run, deletes } = await machine();
  const made = await run("e1").create(IMAGE);
  const [adopter, old] = [run("e2"), run("e2")];
  await adopter.create(ADOPTING);
  await old.delete(made);
  expect(deletes()).toEqual([]);
  expect(old.messages).toContain(`info: a: deployment ${made.id} ${TAKEN}`);
});

test("what another process of the run has only compared is not deleted", async () => {
  const { run, deletes } = await machine();
  const made = await run("e1").create(IMAGE);
  const adopted = await run("e1").create({ ...ADOPTING, onDelete: "delete" });
  await run("e2").diff(made, IMAGE);
  await run("e2").delete(adopted);
  expect(deletes()).toEqual([]);
});

test("a later run that calls only the old resource keeps what was adopted, and says how to clear the mark", async () => {
  const { run, deletes, marks } = await machine();
  const made = await run("e1").create(IMAGE);
  await run("e2").create(ADOPTING);
  const targeted = run("e3");
  await targeted.delete(made);
  expect(deletes()).toEqual([]);
  const file = marks().find((name) => name.includes("lasting")) ?? "";
  expect(targeted.messages).toContain(`warning: a: deployment ${made.id} is kept: another resource of the program in `);
  expect(targeted.messages).toContain(`as the mark ${file} shows. If that resource no longer exists, remove this file`);
  // As it says.
  rmSync(file);
  await run("e4").delete(made);
  expect(deletes()).toEqual([DELETE]);
});

test("a machine without a mark deletes as before, and a refresh leaves the mark there", { tags: "slow" }, async () => {
  const [here, other] = [await machine(), await machine()];
  const made = await here.run("e1").create(IMAGE);
  const adopted = await here.run("e2").create(ADOPTING);
  const elsewhere = (engine: string) =>
    new ProviderRun({ ...stackOf(here.there.url, KEY), machine: { directory: other.directory, engine } });
  await elsewhere("e3").read(adopted);
  await elsewhere("e4").delete(made);
  expect(here.deletes()).toEqual([]);
  rmSync(other.directory, { recursive: true });
  await elsewhere("e5").delete(made);
  expect(here.deletes()).toEqual([DELETE]);
});

const orders = [
  ["made", "adopted"],
  ["adopted", "made"],
] as const;

test.each(orders)(
  "after a refresh of both, each targeted destroy of one keeps what the other one holds; first %s",
  async (...order) => {
    const { run, deletes, marks } = await machine();
    const made = await run("e1").create(IMAGE);
    const adopted = await run("e2").create({ ...ADOPTING, onDelete: "delete" });
    const both = { made, adopted };
    // Each has a process of its own.
    for (const which of order) await run("e3").read(both[which]);
    const [first, last] = order;
    const targeted = run("e4");
    await targeted.delete(both[first]);
    expect(deletes()).toEqual([]);
    expect(targeted.messages).toMatch(/warning: a: deployment [\da-f-]+ is kept: .* as the mark .* shows/);
    await run("e5").delete(both[last]);
    expect(deletes()).toEqual([DELETE]);
    expect(marks().filter((name) => name.includes("lasting"))).toEqual([]);
  },
);

test.each(orders)("so does an up that compares both; first %s", async (...order) => {
  const { run, deletes } = await machine();
  const made = await run("e1").create(IMAGE);
  const adopted = await run("e2").create({ ...ADOPTING, onDelete: "delete" });
  const [first, last] = order.map((which) => ({ made, adopted })[which]);
  const comparing = run("e3");
  if (first !== undefined) await comparing.diff(first, IMAGE);
  if (last !== undefined) await comparing.diff(last, IMAGE);
  await run("e4").delete(adopted);
  expect(deletes()).toEqual([]);
});

test("a run that shows one resource alone leaves no mark for later ones", async () => {
  const { run, marks } = await machine();
  const made = await run("e1").create(IMAGE);
  await run("e2").read(made);
  await run("e2").diff(made, IMAGE);
  expect(marks().filter((name) => name.includes("lasting"))).toEqual([]);
});

test("a refresh of both before a destroy of both deletes the deployment once", async () => {
  const { run, deletes } = await machine();
  const made = await run("e1").create(IMAGE);
  const adopted = await run("e2").create(ADOPTING);
  const [one, other] = [run("e3"), run("e3")];
  await one.read(made);
  await other.read(adopted);
  await other.delete(adopted);
  await one.delete(made);
  expect(deletes()).toEqual([DELETE]);
});

test.each(["made", "adopted"])("when all go in one run, the deployment is deleted once; first %s", async (first) => {
  const { run, deletes, marks } = await machine();
  const made = await run("e1").create(IMAGE);
  const adopted = await run("e2").create(ADOPTING);
  const [one, other] = first === "made" ? [made, adopted] : [adopted, made];
  await run("e3").delete(one);
  await run("e3").delete(other);
  expect(deletes()).toEqual([DELETE]);
  expect(marks().filter((name) => name.includes("lasting"))).toEqual([]);
});

test("what was adopted stays when it goes in a later run than the resource that had made it", async () => {
  const { run, deletes } = await machine();
  const made = await run("e1").create(IMAGE);
  const adopted = await run("e2").create(ADOPTING);
  await run("e3").delete(made);
  await run("e4").delete(adopted);
  expect(deletes()).toEqual([]);
});

test("an adopter that the program lets delete does so, and its mark goes with it", async () => {
  const { there, run, deletes, marks } = await machine();
  await run("e1").create(IMAGE);
  const adopted = await run("e2").create({ ...ADOPTING, onDelete: "delete" });
  await run("e3").delete(adopted);
  expect(deletes()).toEqual([DELETE]);
  expect(there.deployments()).toEqual([]);
  expect(marks().filter((name) => name.includes("lasting"))).toEqual([]);
});

test("an adoption that fails before the state has it leaves no mark, and a delete that fails keeps its own", async () => {
  const { there, run, deletes, marks } = await machine();
  const made = await run("e1").create(IMAGE);
  const adopter = run("e2");
  const refused = { ...ADOPTING, source: "github", imageUri: undefined, repoRef: "main" };
  await expect(adopter.create(refused)).rejects.toThrow("external_docker");
  expect(marks().filter((name) => name.includes("lasting"))).toEqual([]);
  const adopted = await run("e3").create({ ...ADOPTING, deletionProtection: true });
  const destroying = run("e4");
  await expect(destroying.delete(adopted)).rejects.toThrow("is protected from deletion");
  await run("e4").delete(made);
  await run("e5").delete(made);
  expect(deletes()).toEqual([]);
  expect(there.deployments()).toHaveLength(1);
});

test("an adoption that cannot be noted for others says so", async () => {
  const there = await service(KEY);
  const machineOf = { directory: "/dev/null/journal", engine: "e1" };
  const run = () => new ProviderRun({ ...stackOf(there.url, KEY), machine: machineOf });
  const first = run();
  await first.create(IMAGE);
  expect(first.messages).not.toContain("could not be noted");
  const adopter = run();
  await adopter.create(ADOPTING);
  expect(adopter.messages).toMatch(
    /warning: a: the adoption of deployment [\da-f-]+ could not be noted in \/dev\/null\/journal,/,
  );
});

test.each([
  ["onDelete", { onDelete: "retain" }],
  ["deletionProtection", { deletionProtection: true }],
])("what its maker would not have deleted stays when all go in one run: %s", async (_, kept) => {
  const { run, deletes } = await machine();
  const made = await run("e1").create({ ...IMAGE, ...kept });
  const adopted = await run("e2").create(ADOPTING);
  await run("e3").delete(made);
  await run("e3").delete(adopted);
  expect(deletes()).toEqual([]);
});

test("what is protected is not deleted by another process while its own delete is being refused", async () => {
  const { run, deletes } = await machine();
  const made = await run("e1").create(IMAGE);
  const adopted = await run("e2").create({ ...ADOPTING, deletionProtection: true });
  const [one, other] = [run("e3"), run("e3")];
  const refused = expect(one.delete(adopted)).rejects.toThrow("is protected from deletion");
  await other.delete(made);
  await refused;
  expect(deletes()).toEqual([]);
});
