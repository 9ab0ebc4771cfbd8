import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Journal } from "../../../../pulumi-provider/core/operations/journal.ts";
import { remove } from "../../../../pulumi-provider/core/operations/delete.ts";
import { create, update } from "../../../../pulumi-provider/core/operations/update.ts";
import { Fingerprints } from "../../../../pulumi-provider/core/state/fingerprints.ts";
import { fingerprintOf } from "../../../../src/deployment/fingerprint.ts";
import { hashed } from "../../../cheap-hashes.ts";
import { temporaryFolder, writeNodes } from "../../../source/temporary-tree.ts";
import { DIRECTORY, IMAGE } from "../../context.ts";
import { rig } from "../../rig.ts";

const SECRETS = { secrets: { TOKEN: "value-of-the-token" } };

async function steps() {
  const rest = await rig();
  const { operation, checked, service } = rest;
  const file = join(temporaryFolder(), "entry.json");
  const [killed, next] = [
    { ...operation, journal: new Journal(file, () => false) },
    { ...operation, journal: new Journal(file) },
  ];
  const writes = () => service.requests.filter(({ method }) => method !== "GET").map(({ method }) => method);
  return { ...rest, operation, checked, service, file, killed, next, writes };
}

function entryIn(file: string) {
  return JSON.parse(readFileSync(file, "utf8")) as { readonly salt: string; readonly hash: string };
}

test.each([
  ["an image with secrets", { ...IMAGE, ...SECRETS }],
  ["a directory", DIRECTORY],
  ["a directory, with adoption", { ...DIRECTORY, adopt: "ifExists" }],
])(
  "a create that could not answer is taken up, with its deployment and its revision: %s",
  { tags: "slow" },
  async (_, program) => {
    const { checked, killed, next, service, file, writes } = await steps();
    const inputs = await checked(program);
    const first = await create(inputs, killed);
    expect(readFileSync(file, "utf8")).not.toContain("value-of-the-token");
    const before = writes();
    const again = await create(inputs, next);
    expect(writes()).toEqual(before);
    expect(again).toMatchObject({
      id: first.id,
      properties: {
        __internals: { adopted: false },
        managedRevisionId: first.properties["managedRevisionId"],
        status: "DEPLOYED",
      },
    });
    expect(service.deployments()).toHaveLength(1);
    // The entry is used once: from here on the state knows the deployment.
    await expect(create({ ...inputs, adopt: "never" }, next)).rejects.toMatchObject({ code: "NAME_IN_USE" });
  },
);

test.each([
  ["an image with secrets", IMAGE, { ...IMAGE, ...SECRETS, imageUri: "registry/agent:2" }],
  ["triggers", IMAGE, { ...IMAGE, triggers: [1] }],
  ["a directory", DIRECTORY, { ...DIRECTORY, triggers: [1] }],
])("an update that could not answer is taken up: %s", { tags: "slow" }, async (_, program, changed) => {
  const { checked, killed, next, writes } = await steps();
  const { id, properties } = await create(await checked(program), next);
  const inputs = await checked(changed, properties);
  const first = await update(id, properties, inputs, killed);
  const before = writes();
  const again = await update(id, properties, inputs, next);
  expect(writes()).toEqual(before);
  expect(again.properties["managedRevisionId"]).toBe(first.properties["managedRevisionId"]);
});

test.each([
  ["an image", IMAGE],
  ["a directory", DIRECTORY],
])("an entry of an earlier version, one slow hash of all, is taken up: %s with secrets", async (_, source) => {
  const { checked, killed, next, service, file, writes } = await steps();
  const inputs = await checked({ ...source, ...SECRETS, triggers: ["t"] });
  const { id } = await create(inputs, killed);
  const entry = entryIn(file);
  const { graphConfigPath, repoRef, imageUri, sourceHash, sourceConfig, secretsFromEnv, triggers } = inputs;
  const sent = { graphConfigPath, repoRef, imageUri, sourceHash, secretsFromEnv, triggers };
  const secrets = [{ name: "TOKEN", value: "value-of-the-token" }];
  expect(sourceConfig).toBeUndefined();
  const { hash } = await fingerprintOf({ sourceConfig: { ...sent, sourceConfig: {} }, secrets }, entry.salt);
  expect(hash).not.toBe(entry.hash);
  writeFileSync(file, JSON.stringify({ ...entry, hash }));
  const before = [writes(), service.revisions(id)];
  expect(await create(inputs, next)).toMatchObject({ id });
  expect([writes(), service.revisions(id)]).toEqual(before);
});

test("entries of one process with the same secrets take one slow hash, and are still each of its own inputs", async () => {
  const { checked, operation, file } = await steps();
  const [other, fingerprints] = [`${file}.other`, new Fingerprints()];
  Object.assign(hashed, { count: 0 });
  const made = [file, other].map(async (each, index) => {
    const inputs = await checked({ ...IMAGE, ...SECRETS, name: `agent-${index}`, imageUri: `registry/agent:${index}` });
    await create(inputs, { ...operation, fingerprints, journal: new Journal(each, () => false, fingerprints) });
    return entryIn(each);
  });
  const [one, two] = await Promise.all(made);
  expect(hashed.count).toBe(1);
  expect([one?.salt, one?.hash === two?.hash]).toEqual([two?.salt, false]);
});

test.each([
  ["the program says something else by now", { triggers: [2] }],
  ["a secret has another value", { secrets: { TOKEN: "another-value-of-it" } }],
])("an update makes its own revision when %s", { tags: "slow" }, async (_, change) => {
  const { checked, killed, next, service } = await steps();
  const program = { ...DIRECTORY, ...SECRETS };
  const { id, properties } = await create(await checked(program), next);
  await update(id, properties, await checked({ ...program, triggers: [1] }, properties), killed);
  const before = service.revisions(id).length;
  await update(id, properties, await checked({ ...program, triggers: [1], ...change }, properties), next);
  expect(service.revisions(id)).toHaveLength(before + 1);
});

test("a revision of another user is not taken for ours", { tags: "slow" }, async () => {
  const { checked, killed, next, service, operation, programDirectory } = await steps();
  const { id, properties } = await create(await checked(DIRECTORY), next);
  const inputs = await checked({ ...DIRECTORY, triggers: [1] }, properties);
  await update(id, properties, inputs, killed);
  writeNodes(programDirectory, { "agent.py": "graph = 2\n" });
  await update(id, properties, await checked({ ...DIRECTORY, triggers: [1] }, properties), operation);
  const before = service.revisions(id).length;
  writeNodes(programDirectory, { "agent.py": "graph = None\n" });
  await update(id, properties, inputs, next);
  expect(service.revisions(id)).toHaveLength(before + 1);
});

test("a deployment of the name that was made at another time is not ours", async () => {
  const { checked, killed, next, file } = await steps();
  const inputs = await checked(IMAGE);
  await create(inputs, killed);
  const { deploymentId: _, isMade: __, ...entry } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...entry, begun: "2020-01-01T00:00:00.000Z" }));
  await expect(create(inputs, next)).rejects.toMatchObject({ code: "NAME_IN_USE" });
});

// A create that was killed before the service had it, and another user who makes the same name.
test.each([
  { adopt: "never", deploymentId: false, adopted: true },
  { adopt: "ifExists", deploymentId: false, adopted: true },
  { adopt: "never", deploymentId: true, adopted: false },
  { adopt: "ifExists", deploymentId: true, adopted: false },
])("only the id that the service returned makes a deployment its own: %j", async ({ adopt, deploymentId, adopted }) => {
  const { checked, killed, next, file, warnings, service } = await steps();
  const inputs = await checked({ ...IMAGE, adopt });
  const { id } = await create(inputs, killed);
  const { deploymentId: known, isMade, ...entry } = JSON.parse(readFileSync(file, "utf8"));
  expect(known).toBe(id);
  writeFileSync(file, JSON.stringify(deploymentId ? { ...entry, deploymentId: known, isMade } : entry));
  const taken = await create(inputs, next);
  expect(taken).toMatchObject({ id, properties: { __internals: { adopted } } });
  const said = warnings.filter((warning) => warning.includes(`deployment ${id} is adopted`));
  expect(said).toHaveLength(adopted ? 1 : 0);
  if (adopted) expect(said[0]).toContain("ended by force while it created or adopted a,");
  const log = () => undefined;
  await remove(id, taken.properties, { deps: next.deps, log });
  expect(service.deployments()).toHaveLength(adopted ? 1 : 0);
});

test.each([
  ["the program adopts", { adopt: "ifExists" }],
  ["the program no longer adopts", { adopt: "never" }],
])("an adoption that was ended by force stays one in the run after it: %s", { tags: "slow" }, async (_, then) => {
  const { checked, operation, killed, next, service } = await steps();
  const other = { ...IMAGE, imageUri: "registry/agent:of-somebody-else" };
  const { id } = await create(await checked(other), operation);
  await create(await checked({ ...IMAGE, adopt: "ifExists" }), killed);
  // As often as it is ended.
  await create(await checked({ ...IMAGE, adopt: "ifExists" }), killed);
  const taken = await create(await checked({ ...IMAGE, ...then }), next);
  expect(taken).toMatchObject({ id, properties: { __internals: { adopted: true } } });
  await remove(id, taken.properties, { deps: next.deps, log: () => undefined });
  expect(service.deployments()).toHaveLength(1);
});

test("what was taken over from another user after a kill stays theirs after the next one", async () => {
  const { checked, killed, next, file, service } = await steps();
  const { id } = await create(await checked(IMAGE), killed);
  const { deploymentId: _, isMade: __, ...entry } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(entry));
  // What takes the deployment over writes, and is ended by force as well.
  const inputs = await checked({ ...IMAGE, triggers: [1] });
  await create(inputs, killed);
  const taken = await create(inputs, next);
  expect(taken).toMatchObject({ id, properties: { __internals: { adopted: true } } });
  await remove(id, taken.properties, { deps: next.deps, log: () => undefined });
  expect(service.deployments()).toHaveLength(1);
});

test("what a create has made stays its own, however often it is ended by force", async () => {
  const { checked, killed, next, service } = await steps();
  const { id } = await create(await checked(IMAGE), killed);
  // Another revision, which writes an entry of its own.
  const inputs = await checked({ ...IMAGE, triggers: [1] });
  await create(inputs, killed);
  const taken = await create(inputs, next);
  expect(taken).toMatchObject({ id, properties: { __internals: { adopted: false } } });
  await remove(id, taken.properties, { deps: next.deps, log: () => undefined });
  expect(service.deployments()).toEqual([]);
});

test("an entry of an earlier version proves nothing of who made a deployment", async () => {
  const { checked, killed, next, file } = await steps();
  const inputs = await checked({ ...IMAGE, adopt: "ifExists" });
  await create(inputs, killed);
  const { isMade: _, ...entry } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(entry));
  expect(await create(inputs, next)).toMatchObject({ properties: { __internals: { adopted: true } } });
});

test("an entry that cannot be read counts for nothing, and a directory of others is not used", async () => {
  const { checked, killed, next, file } = await steps();
  const inputs = await checked(IMAGE);
  await create(inputs, killed);
  writeFileSync(file, "{");
  await expect(create(inputs, next)).rejects.toMatchObject({ code: "NAME_IN_USE" });

  const directory = join(temporaryFolder(), "journal");
  const place = { directory, owner: process.getuid?.(), isHeard: () => true };
  expect(Journal.in(place, ["urn", 1])).toBeInstanceOf(Journal);
  expect(readdirSync(directory)).toEqual([]);
  chmodSync(directory, 0o777);
  expect(Journal.in(place, ["urn", 1])).toBeUndefined();
  expect(Journal.in({ ...place, directory: "/dev/null/journal" }, ["urn", 1])).toBeUndefined();
});
