import { testWith } from "../test-with.ts";
import { readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DeployRequest, SecretInput } from "../../src/index.ts";
import { rig, type Rig } from "./rig.ts";

const SECRETS: readonly [SecretInput, SecretInput] = [
  { name: "MODEL_API_KEY", value: "sk-very-secret-value" },
  { name: "PIN", value: "z471" },
];
const SETTINGS = { install_command: "pip install --index-url https://user:token-in-url@pypi.example ." };

/** A rig whose deploys keep a record inside the project, where it must not become a part of the source. */
async function recording(change: Partial<DeployRequest> = {}) {
  // What is asked is what a next run does, not how a revision gets there.
  const parts = await rig({ walkMilliseconds: 1 });
  const record = join(parts.directory, "kept.json");
  const request = { record, secrets: SECRETS, sourceConfig: SETTINGS, ...change };
  return { ...parts, record, again: (more: Partial<DeployRequest> = {}) => parts.deploy({ ...request, ...more }) };
}
const withRecording = testWith(recording);

/** The agent answers 401 there from now on. */
const refuse = ({ service }: Rig, path: RegExp) =>
  service.faults.add({ times: Infinity, match: { server: "agent", path }, do: { kind: "answer", status: 401 } });

const verdictOf = ({ of }: Rig) => of("recalled").at(-1)?.verdict;
const reasonOf = ({ of }: Rig) => of("recalled").at(-1)?.reason;

describe("a source that is live already", () => {
  withRecording("ends as unchanged after three requests, with the revision of the record", async (parts) => {
    const first = await parts.again();
    const before = parts.service.requests.length;
    expect(await parts.again()).toEqual({ ...first, outcome: "unchanged", created: false });
    const sent = parts.service.requests.slice(before).map(({ server, method, path }) => `${server} ${method} ${path}`);
    const deployment = `service GET /v2/deployments/${first.deploymentId}`;
    expect(sent).toEqual([deployment, `${deployment}/revisions/${first.revisionId}`, "agent GET /ok"]);
    expect(verdictOf(parts)).toBe("unchanged");
    expect(parts.of("source-packed")).toHaveLength(1);
    expect(parts.of("source-hashed")[0]?.digest).toBe(parts.of("source-packed")[0]?.archive.digest);
  });

  withRecording("is found by its id as well", async (parts) => {
    const { deploymentId } = await parts.again();
    expect(await parts.again({ target: { deploymentId } })).toMatchObject({ outcome: "unchanged" });
  });

  withRecording("is not deployed again although nobody waits", async (parts) => {
    await parts.again();
    expect(await parts.again({ wait: false })).toMatchObject({ outcome: "unchanged" });
  });

  withRecording("fails when its agent is not well", async (parts) => {
    await parts.again();
    refuse(parts, /ok$/);
    await expect(parts.again()).rejects.toThrow(/is DEPLOYED, but the agent at .* failed its health check/);
  });

  test.each([
    ["fails again when its agent failed the smoke test of the run that made it", { smokeTest: true }],
    ["is asked for its graphs when the run that made it did not ask", { smokeTest: false }],
    ["is asked for its graphs when the run that made it did not wait", { wait: false }],
  ])("%s", async (_what, first) => {
    const parts = await recording();
    refuse(parts, /\/assistants\/search$/);
    await parts.again(first).catch(() => undefined);
    const [deployment] = parts.service.deployments();
    await expect.poll(() => parts.service.revisions(deployment?.id ?? "")[0]?.status).toBe("DEPLOYED");
    await expect(parts.again()).rejects.toThrow(/is DEPLOYED, but the agent at .* failed its health check/);
    expect(verdictOf(parts)).toBe("unchanged");
    parts.service.faults.clear();
    expect(await parts.again()).toMatchObject({ outcome: "unchanged" });
    const before = parts.service.requests.length;
    expect(await parts.again()).toMatchObject({ outcome: "unchanged" });
    expect(parts.service.requests.length - before).toBe(3);
  });

  withRecording("is reported by a dry run, which packs nothing then", async (parts) => {
    await parts.again();
    const { change } = await parts.dryRun({ record: parts.record, secrets: SECRETS, sourceConfig: SETTINGS });
    expect(change.recalled).toMatchObject({ verdict: "unchanged" });
    expect(parts.of("source-packed")).toHaveLength(1);
  });
});

describe("whatever differs makes a new revision", () => {
  const [key] = SECRETS;
  const CHANGES: readonly (readonly [string, Partial<DeployRequest>, RegExp])[] = [
    [
      "a setting",
      { sourceConfig: { ...SETTINGS, build_command: "make" } },
      /^the settings of the deployment changed since/,
    ],
    ["a setting less", { sourceConfig: {} }, /^a secret or a setting of the source changed since revision/],
    [
      "a value",
      { secrets: [key, { name: "PIN", value: "4712" }] },
      /^a secret or a setting of the source changed since/,
    ],
    ["a name", { secrets: [key] }, /^the secrets changed from MODEL_API_KEY, PIN to MODEL_API_KEY since revision/],
    ["no secrets", { secrets: [] }, /^the secrets changed from MODEL_API_KEY, PIN to none since revision/],
    [
      "secrets left alone",
      { secrets: undefined },
      /^the secrets changed from .* to those of the deployment since revision/,
    ],
  ];

  test.each(CHANGES)("%s", async (_what, change, reason) => {
    const parts = await recording();
    const first = await parts.again();
    const second = await parts.again(change);
    expect(second).toMatchObject({ outcome: "deployed", deploymentId: first.deploymentId });
    expect(second.revisionId).not.toBe(first.revisionId);
    expect(reasonOf(parts)).toMatch(reason);
    expect(await parts.again(change)).toMatchObject({ outcome: "unchanged", revisionId: second.revisionId });
  });

  withRecording("a file", async (parts) => {
    const { revisionId } = await parts.again();
    await parts.write({ "src/support.py": "graph = 3\n" });
    expect(await parts.again()).toMatchObject({ outcome: "deployed" });
    expect(reasonOf(parts)).toBe(`the source changed since revision ${revisionId}`);
  });

  withRecording("the configuration file", async (parts) => {
    await parts.again();
    await parts.write({
      "other.json": JSON.stringify({ graphs: { support: "./src/support.py:graph" }, dependencies: ["./src"] }),
    });
    const { source } = parts.request();
    if (source.source !== "internal_source") expect.fail("the rig deploys a folder");
    expect(await parts.again({ source: { ...source, graphConfig: "other.json" } })).toMatchObject({
      outcome: "deployed",
    });
    expect(reasonOf(parts)).toMatch(/^graph_config_path changed since/);
  });

  withRecording("a revision of another user", { tags: "slow" }, async (parts) => {
    const first = await parts.again();
    const other = await parts.deploy();
    await parts.again();
    expect(reasonOf(parts)).toBe(
      `revision ${other.revisionId} is the latest now, and not ${first.revisionId} of the record`,
    );
  });

  withRecording("a revision that failed", async (parts) => {
    parts.service.faults.nextRevision({ end: "BUILD_FAILED" });
    await expect(parts.again()).rejects.toThrow(/BUILD_FAILED/);
    expect(JSON.parse(await readFile(parts.record, "utf8"))).toMatchObject({ revision: { status: "BUILD_FAILED" } });
    expect(await parts.again()).toMatchObject({ outcome: "deployed" });
    expect(reasonOf(parts)).toMatch(/of this source ended as BUILD_FAILED$/);
  });

  withRecording("a deployment that was deleted", async (parts) => {
    const { deploymentId } = await parts.again();
    await parts.connection.controlPlane.delete(deploymentId);
    expect(await parts.again()).toMatchObject({ outcome: "deployed", created: true });
    expect(reasonOf(parts)).toBe(`the record is of deployment ${deploymentId}`);
  });

  withRecording("a record that cannot be read, for each reason", { tags: "slow" }, async (parts) => {
    await parts.again();
    const record = JSON.parse(await readFile(parts.record, "utf8")) as object;
    const ids = ["..", "", "a/b", "x".repeat(100_000), "\u001b[31m\n::error::"];
    const texts = [
      ...["{", "", "[]", '{"format": 2}', " ".repeat(2_000_000)],
      ...ids.map((id) => JSON.stringify({ ...record, deployment: { id, name: "support-agent" } })),
    ];
    for (const [index, text] of texts.entries()) {
      await writeFile(parts.record, text);
      await parts.dryRun({ record: parts.record, secrets: SECRETS, sourceConfig: SETTINGS });
      // The first deploy looked for one, too.
      expect(parts.of("recalled"), text.slice(0, 200)).toHaveLength(index + 2);
      expect(reasonOf(parts)).toBe("the record of an earlier run cannot be read");
    }
    expect(await parts.again()).toMatchObject({ outcome: "deployed", created: false });
    expect(await parts.again()).toMatchObject({ outcome: "unchanged" });
  });
});

describe("a revision that is on its way", () => {
  withRecording("is waited for by the next run, which sends nothing", async (parts) => {
    parts.service.faults.nextRevision({ walk: ["BUILDING", "DEPLOYED"], hold: "BUILDING" });
    await expect(parts.again({ timeoutMilliseconds: 200 })).rejects.toThrow(/is still BUILDING/);
    const looks = parts.of("revision-status").length;
    const [deployment] = parts.service.deployments();
    const held = deployment?.latest_revision_id ?? "";
    const before = parts.service.requests.length;
    const waiting = parts.again();
    await expect.poll(() => parts.of("revision-status").length).toBeGreaterThan(looks);
    parts.service.faults.clear();
    expect(await waiting).toMatchObject({ outcome: "deployed", revisionId: held, created: false });
    const methods = parts.service.requests.slice(before).map(({ method }) => method);
    expect(methods.filter((method) => method === "PATCH" || method === "PUT")).toEqual([]);
    expect(parts.of("revision-started").at(-1)).toMatchObject({ resumed: true, revisionId: held });
    expect(JSON.parse(await readFile(parts.record, "utf8"))).toMatchObject({ revision: { status: "DEPLOYED" } });
  });
});

describe("the record itself", () => {
  withRecording("is there as soon as the update is answered", async (parts) => {
    const { deploymentId, revisionId } = await parts.again({ wait: false });
    expect(JSON.parse(await readFile(parts.record, "utf8"))).toMatchObject({
      deployment: { id: deploymentId, name: "support-agent" },
      revision: { id: revisionId },
    });
  });

  withRecording("is there before the revision could be read", async (parts) => {
    const unreadable = parts.service.faults.add({
      times: Infinity,
      match: { method: "GET", path: /\/revisions\// },
      do: { kind: "answer", status: 401 },
    });
    await expect(parts.again()).rejects.toThrow(/is building in the service, but it cannot be read: /);
    unreadable.remove();
    const { revision } = JSON.parse(await readFile(parts.record, "utf8")) as { revision: { id: string } };
    expect(revision.id).toBe(parts.service.deployments()[0]?.latest_revision_id);
    expect(await parts.again()).toMatchObject({ revisionId: revision.id });
  });

  withRecording("does not name the revision of another user", { tags: "slow" }, async (parts) => {
    parts.service.faults.conditions.foreignRevisions = 1;
    await expect(parts.again()).rejects.toMatchObject({ outcome: "superseded" });
    const { revision } = JSON.parse(await readFile(parts.record, "utf8")) as { revision: { id: string } };
    expect(revision.id).not.toBe(parts.service.deployments()[0]?.latest_revision_id);
    expect(await parts.again()).toMatchObject({ outcome: "deployed" });
  });

  withRecording("holds no secret, and two deploys of the same secrets leave different hashes", async (parts) => {
    await parts.again();
    const first = await readFile(parts.record, "utf8");
    for (const text of ["sk-very-secret-value", "z471", "token-in-url", "pip install"])
      expect(first).not.toContain(text);
    await rm(parts.record);
    await parts.again();
    const fingerprintIn = (text: string) => (JSON.parse(text) as { fingerprint: Record<string, unknown> }).fingerprint;
    const [one, two] = [fingerprintIn(first), fingerprintIn(await readFile(parts.record, "utf8"))];
    expect(two["hash"]).not.toBe(one["hash"]);
    expect(two["secret_names"]).toEqual(["MODEL_API_KEY", "PIN"]);
  });

  withRecording("replaces a link and leaves its target alone", async (parts) => {
    const target = join(parts.spool, "..", "precious.txt");
    await writeFile(target, "precious");
    await symlink(target, parts.record);
    await parts.again();
    expect(await readFile(target, "utf8")).toBe("precious");
    expect((await stat(parts.record)).mode & 0o777).toBe(0o600);
  });

  withRecording("that cannot be written is a warning", async (parts) => {
    const record = join(parts.directory, "graph.json", "record.json");
    expect(await parts.again({ record })).toMatchObject({ outcome: "deployed" });
    expect(parts.of("warning").map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^The deploy record could not be written, so the next run makes a new revision: /),
    );
  });
});
