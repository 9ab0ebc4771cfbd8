import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UNKNOWN } from "../../engine/property-values.ts";
import { API_KEY, DIRECTORY, IMAGE, machine, rig, secret, sharedPlugin, subject } from "./rig.ts";
import { writeNodes } from "../../source/temporary-tree.ts";
import { withInternals } from "../../../pulumi-provider/core/state/internals.ts";

const shared = sharedPlugin();
const ID = /^[\da-f]{8}-[\da-f-]{27}$/;

describe("a deployment of the plugin", () => {
  test("is previewed exactly, made, changed and deleted", async () => {
    const { plugin, checked, writes } = await rig(shared());
    const inputs = await checked("billing", { ...IMAGE, secrets: { TOKEN: secret("sk-plain-token") } });
    expect(inputs).toMatchObject({ name: "billing", secrets: secret({ TOKEN: "sk-plain-token" }) });

    const preview = await plugin.of(subject("billing")).create(inputs, { preview: true });
    expect(preview).toMatchObject({ id: "", outputs: { name: "billing", url: UNKNOWN, status: UNKNOWN } });
    expect(writes()).toEqual([]);

    const { id, outputs } = await plugin.of(subject("billing")).create(inputs);
    expect(id).toMatch(ID);
    expect(outputs).toMatchObject({ status: "DEPLOYED", secrets: secret({ TOKEN: "sk-plain-token" }) });
    expect(Object.keys(outputs).filter((key) => key.startsWith("__"))).toEqual(["__internals"]);
    expect(writes()).toEqual(["POST"]);
    expect(await plugin.of(subject("billing")).diff(id, outputs, inputs)).toMatchObject({
      changes: "none",
      detail: {},
    });

    const next = await checked("billing", { ...IMAGE, imageUri: "registry.example/agent:2" }, inputs);
    const diff = await plugin.of(subject("billing")).diff(id, outputs, next);
    expect(diff).toMatchObject({ changes: "some", replaces: [] });
    expect(diff.detail).toEqual({ imageUri: "update", secrets: "delete" });
    const { outputs: previewed } = await plugin.of(subject("billing")).update(id, outputs, next, { preview: true });
    expect(previewed).toMatchObject({ url: outputs["url"], createdAt: outputs["createdAt"], status: UNKNOWN });
    expect(writes()).toEqual(["POST"]);

    const { outputs: updated } = await plugin.of(subject("billing")).update(id, outputs, next);
    expect(updated).toMatchObject({ imageUri: "registry.example/agent:2", status: "DEPLOYED" });
    expect(writes()).toEqual(["POST", "PATCH"]);

    await plugin.of(subject("billing")).delete(id, updated);
    expect(await plugin.of(subject("billing")).read(id, updated, next)).toMatchObject({ id: "" });
  });

  test("says which files changed, in the difference and in one line", async () => {
    const { plugin, lines, directory, checked, created } = await rig(shared());
    const { id, outputs, inputs } = await created("support", DIRECTORY);
    writeFileSync(join(directory, "added.py"), "x = 1\n");
    const next = await checked("support", DIRECTORY, inputs);
    expect(next).toMatchObject({ sourceFiles: { "added.py": expect.stringMatching(/^[\da-f]{8}$/) } });
    const { detail } = await plugin.of(subject("support")).diff(id, outputs, next);
    expect(Object.keys(detail).sort()).toEqual(['sourceFiles["added.py"]', "sourceHash", "sourceSummary"]);
    expect(lines.filter(({ message }) => message.includes("the source changed: 1 added ("))).toHaveLength(1);
    const { outputs: updated } = await plugin.of(subject("support")).update(id, outputs, next);
    expect(await checked("support", DIRECTORY, next)).toEqual(next);
    expect(await plugin.of(subject("support")).diff(id, updated, next)).toMatchObject({ changes: "none" });
  });

  test("shows what another client has made of it as a difference of its properties", async () => {
    const { plugin, service, checked, created } = await rig(shared());
    const { id, outputs, inputs } = await created("billing", { ...IMAGE, secrets: secret({ A: "sk-plain-a" }) });
    const headers = { "x-api-key": API_KEY, "content-type": "application/json" };
    const secrets = [{ name: "B", value: "b" }];
    const body = JSON.stringify({ source_revision_config: { image_uri: "evil:1" }, secrets });
    await fetch(`${service.url}/v2/deployments/${id}`, { method: "PATCH", headers, body });
    const seen = await plugin.of(subject("billing")).read(id, outputs, inputs);
    for (const properties of [seen.outputs, seen.inputs]) {
      expect(properties).toMatchObject({ imageUri: "evil:1", secrets: secret({ B: expect.stringMatching(/^\(/) }) });
    }
    expect(seen.inputs).not.toHaveProperty("__internals");
    const next = await checked("billing", { ...IMAGE, secrets: secret({ A: "sk-plain-a" }) }, seen.inputs);
    expect(await plugin.of(subject("billing")).diff(id, seen.outputs, next)).toMatchObject({
      changes: "some",
      detail: { imageUri: "update", "secrets.A": "add", "secrets.B": "delete" },
    });
  });

  test("is imported by its id and by its name, and then nothing differs", async () => {
    const { plugin, checked, created } = await rig(shared());
    const { id } = await created("billing", { ...IMAGE, sourceConfig: { resource_spec: { cpu: 1 } } });
    for (const known of [id, "billing"]) {
      const imported = await plugin.of(subject("imported")).read(known);
      expect(imported).toMatchObject({ id, inputs: { name: "billing", ...IMAGE }, outputs: { status: "DEPLOYED" } });
      const inputs = await checked("imported", imported.inputs, imported.inputs);
      expect(await plugin.of(subject("imported")).diff(id, imported.outputs, inputs)).toMatchObject({
        changes: "none",
      });
    }
  });

  test("that a resource imports in the place of one that had imported it stays", async () => {
    const { plugin, service, checked } = await rig(shared());
    await fetch(`${service.url}/v2/deployments`, {
      method: "POST",
      headers: { "x-api-key": API_KEY, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ name: "billing", source: "external_docker", source_config: {}, secrets: [] },
        source_revision_config: { image_uri: IMAGE.imageUri },
      }),
    });
    const [{ id } = { id: "" }] = service.deployments();
    const [old, next] = [await plugin.of(subject("old")).read(id), await plugin.of(subject("next")).read(id)];
    const inputs = await checked("next", next.inputs, next.inputs);
    await plugin.of(subject("next")).diff(id, next.outputs, inputs);
    await plugin.of(subject("old")).delete(id, old.outputs);
    expect(service.deployments().map((one) => one.id)).toEqual([id]);
    await plugin.of(subject("next")).delete(id, next.outputs);
    expect(service.deployments()).toEqual([]);
  });

  test("that was uploaded is imported without its directory, which only a revision needs", async () => {
    const { plugin, checked, created, writes } = await rig(shared());
    const { id } = await created("support", { source: "internal_source", directory: { path: "." } });
    const imported = await plugin.of(subject("imported")).read("support");
    expect(imported.inputs).toEqual({ name: "support", source: "internal_source", graphConfigPath: "graph.json" });
    const inputs = await checked("imported", imported.inputs, imported.inputs);
    expect(await plugin.of(subject("imported")).diff(id, imported.outputs, inputs)).toMatchObject({ changes: "none" });
    // As a run to come sees it: with what the last check filled in.
    const again = await checked("imported", imported.inputs, inputs);
    expect(await plugin.of(subject("imported")).diff(id, imported.outputs, again)).toMatchObject({ changes: "none" });

    const before = writes().length;
    const other = { ...imported.inputs, triggers: [1] };
    const { failures } = await plugin.of(subject("imported")).check(inputs, other);
    expect(failures.map(({ reason }) => reason).join()).toContain("is required");
    const drifted = withInternals(imported.outputs, { drift: ["the service has another revision"] });
    const failure = await plugin.of(subject("imported")).update(id, drifted, inputs).catch(String);
    expect(failure).toContain("directory");
    expect(writes()).toHaveLength(before);

    const named = await checked("imported", { ...imported.inputs, directory: { path: "." } }, inputs);
    expect(await plugin.of(subject("imported")).diff(id, imported.outputs, named)).toMatchObject({ changes: "some" });
  });

  test("has its lines to itself, and none of 200 resources at once loses one", async () => {
    const { plugin, lines, checked } = await rig(shared());
    const names = Array.from({ length: 200 }, (_, index) => `agent-${String(index)}`);
    await Promise.all(
      names.map(async (name) => plugin.of(subject(name)).create(await checked(name, { ...IMAGE, wait: false }))),
    );
    for (const name of names) {
      const own = lines.filter(({ urn }) => urn === subject(name).urn).map(({ message }) => message);
      const told = [/^image registry\.example\/agent:1: tag 1 may /, /^created deployment /, /^revision /];
      expect(own).toEqual(told.map((line) => expect.stringMatching(line) as string));
    }
  });

  test("whose inputs are not known yet is checked as far as they are", async () => {
    const { checked } = await rig(shared());
    const inputs = await checked("billing", { source: "external_docker", imageUri: UNKNOWN, secrets: UNKNOWN });
    expect(inputs).toMatchObject({ imageUri: UNKNOWN, name: "billing" });
  });
});

describe("a provider", () => {
  test("says all that is wrong with its settings at once", async () => {
    const { plugin } = await shared();
    const { failures } = await plugin.checkConfig({ controlPlaneUrl: "http://x.example", maxSize: "big", url: "x" });
    expect(failures.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("url is not a known setting"),
      expect.stringContaining("maxSize is not a valid size"),
    ]);
    const plain = await plugin.checkConfig({ controlPlaneUrl: "http://x.example", apiKey: secret("a b") });
    expect(plain.failures.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("controlPlaneUrl cannot be used"),
      expect.stringContaining("apiKey cannot be used"),
    ]);
    expect(plain.inputs).toMatchObject({ apiKey: secret("a b") });
  });

  test("keeps a key and a token as secrets, and warns of those that the stack has in plain text", async () => {
    const { plugin, lines, directory } = await machine().start();
    // An engine passes them without marks, whatever they were in the configuration.
    const given = { controlPlaneUrl: "https://one.example", apiKey: "key-in-plain", bearerToken: "token-in-plain" };
    const kept = { ...given, apiKey: secret("key-in-plain"), bearerToken: secret("token-in-plain") };
    const urn = "urn:pulumi:dev::agents::pulumi:providers:graph-deploy::default";
    expect(await plugin.checkConfig(given, urn)).toEqual({ inputs: kept, failures: [] });
    const encrypted =
      "config:\n  graph-deploy:apiKey:\n    secure: AAABAK\n  graph-deploy:bearerToken: {secure: AAABAK}\n";
    writeNodes(directory, { "Pulumi.yaml": "name: agents\nruntime: nodejs\n", "Pulumi.dev.yaml": encrypted });
    expect(await plugin.checkConfig(given, urn)).toEqual({ inputs: kept, failures: [] });
    expect(lines).toEqual([]);

    const plain = 'config:\n  graph-deploy:apiKey: key-in-plain\n  "graph-deploy:bearerToken": token-in-plain\n';
    writeNodes(directory, { "Pulumi.dev.yaml": plain });
    expect(await plugin.checkConfig(given, urn)).toEqual({ inputs: kept, failures: [] });
    expect(lines.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      expect.stringMatching(/^warning: graph-deploy:apiKey .*`pulumi config set --secret graph-deploy:apiKey`/),
      expect.stringMatching(/^warning: graph-deploy:bearerToken .*--secret graph-deploy:bearerToken`/),
    ]);
    expect(JSON.stringify(lines)).not.toContain("in-plain");

    lines.length = 0;
    // Another stack has another file, and a provider of the program its settings from there.
    await plugin.checkConfig(given, urn.replace(":dev:", ":prod:"));
    await plugin.checkConfig(given, urn.replace("default", "eu"));
    expect(lines).toEqual([]);
    // A state that was written with the key in plain text is no difference: the engine keeps the new inputs.
    expect(await plugin.diffConfig(given, kept)).toMatchObject({ changes: "none" });
  });

  test("differs by the settings that are others, and is never another provider", async () => {
    const { plugin } = await shared();
    const before = { controlPlaneUrl: "https://one.example", fieldNames: { id: "uid" }, apiKey: secret("key-1") };
    const same = { ...before, fieldNames: '{"id":"uid"}', version: "9.9.9" };
    expect(await plugin.diffConfig(before, same)).toMatchObject({ changes: "none", replaces: [] });
    const other = { ...before, apiKey: secret("key-2"), tenantId: UNKNOWN };
    const difference = await plugin.diffConfig(before, other);
    expect(difference).toMatchObject({ changes: "some", replaces: [] });
    expect(JSON.stringify(difference)).not.toContain("key-2");
  });

  test("takes settings as an SDK writes them, and two of them reach two services", async () => {
    const [one, two] = [await rig(shared()), await rig(machine().start())];
    await two.plugin.configure({
      controlPlaneUrl: two.service.url,
      apiKey: secret(API_KEY),
      allowHttp: "true",
      fieldNames: "{}",
    });
    await Promise.all([one.created("billing", IMAGE), two.created("invoices", IMAGE)]);
    expect(one.service.deployments().map(({ name }) => name)).toEqual(["billing"]);
    expect(two.service.deployments().map(({ name }) => name)).toEqual(["invoices"]);
  });

  test("limits the archive of a directory, and writes nothing for a larger one", async () => {
    const { plugin, checked, service, directory, writes } = await rig(shared());
    writeFileSync(join(directory, "model.bin"), randomBytes(4_096));
    await plugin.configure({ controlPlaneUrl: service.url, apiKey: secret(API_KEY), maxSize: "4KiB" });
    const creating = plugin.of(subject("support")).create(await checked("support", DIRECTORY));
    await expect(creating).rejects.toThrow(/larger than 4.*model\.bin.*graph-deploy:maxSize/);
    expect(writes()).toEqual([]);
  });

  test("answers its functions, and says what is wrong with their arguments", async () => {
    const { plugin, created } = await rig(shared());
    const { id, outputs } = await created("billing", IMAGE);
    const { result: found } = await plugin.invoke("graph-deploy:index:getDeployment", { name: "billing" });
    expect(found).toMatchObject({ id, name: "billing", source: "external_docker", status: "DEPLOYED" });
    const { result: list } = await plugin.invoke("graph-deploy:index:getDeployments", { nameContains: "bill" });
    expect(list).toEqual({ deployments: [expect.objectContaining({ id })] });
    const query = { deploymentId: id, revisionId: outputs["latestRevisionId"] };
    const { result: revision } = await plugin.invoke("graph-deploy:index:getRevision", query);
    expect(revision).toMatchObject({ revisionId: query.revisionId, imageUri: IMAGE.imageUri, status: "DEPLOYED" });
    const { failures } = await plugin.invoke("graph-deploy:index:getDeployment", {});
    expect(failures).toEqual([{ property: "", reason: "needs either id or name." }]);
    await expect(plugin.invoke("graph-deploy:index:getDeployment", { name: "nobody" })).rejects.toThrow("nobody");
    await expect(plugin.invoke("graph-deploy:index:getAgents", {})).rejects.toThrow("has no function");
  });
});
