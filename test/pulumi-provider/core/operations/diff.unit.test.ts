import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../../../../pulumi-provider/core/check/check.ts";
import { diff } from "../../../../pulumi-provider/core/operations/diff.ts";
import { INPUT_ROLES } from "../../../../pulumi-provider/core/inputs/fields.ts";
import { fingerprintSecrets } from "../../../../pulumi-provider/core/check/secrets.ts";
import type { Properties } from "../../../../pulumi-provider/core/state/state.ts";
import { context, IMAGE, UNKNOWN } from "../../context.ts";

const REPORTED = {
  stateVersion: 1,
  latestRevisionId: "r-1",
  managedRevisionId: "r-1",
  status: "DEPLOYED",
  url: null,
  createdAt: null,
  drift: [],
};

const compare = (olds: Properties, news: Properties, env: Readonly<Record<string, string>> = {}) =>
  diff(olds, news, { env: (name) => env[name] });

const checked = async (news: Properties) => (await check({}, news, context({ env: { V: "v", W: "w" } }))).inputs;

/** The difference that a change makes for a deployment that was updated without one. */
async function after(
  change: Properties,
  { base = {}, reported = {} }: { base?: Properties; reported?: Properties } = {},
) {
  const before = await checked({ ...IMAGE, ...base });
  return await compare({ ...before, ...REPORTED, ...reported }, await checked({ ...IMAGE, ...base, ...change }));
}

const NOTHING = { changes: false, replaces: [], deleteBeforeReplace: false, work: "none", changed: [], reasons: [] };

describe("an unchanged deployment", () => {
  test("has no difference, said explicitly", async () => {
    expect(await after({})).toEqual(NOTHING);
  });

  test("has none either when an earlier version left keys out, or wrote others", async () => {
    const news = await checked(IMAGE);
    const { stateVersion: _, drift: __, ...old } = { ...news, ...REPORTED, tenantId: null, __provider: "x" };
    expect(await compare(old, news)).toEqual(NOTHING);
  });

  test("has none when a service writes its ids in another case", async () => {
    const reported = { latestRevisionId: "R-1", managedRevisionId: "r-1" };
    expect(await after({ tenantId: "0A" }, { base: { tenantId: "0a" }, reported })).toEqual(NOTHING);
  });

  test("is refused when a later version wrote its state", async () => {
    const failed = expect.objectContaining({ code: "STATE_VERSION", advice: expect.stringContaining("Upgrade") });
    await expect(after({}, { reported: { stateVersion: 3 } })).rejects.toThrow(failed);
  });
});

test("a folder that is not known yet is said to have changed, without the engine's mark", async () => {
  const news = { ...(await checked(IMAGE)), sourceHash: UNKNOWN, sourceSummary: UNKNOWN };
  const { reasons } = await compare(
    { ...news, ...REPORTED, sourceHash: "sha256:1", sourceSummary: "1 file, 2 B" },
    news,
  );
  expect(reasons).toEqual(["the source changed"]);
});

describe("a change of the inputs", () => {
  test.each([
    ["name", { name: "b" }, false],
    ["source", { source: "github", imageUri: undefined, repoRef: "main" }, true],
    ["controlPlaneUrl", { controlPlaneUrl: "https://other.example" }, false],
    ["tenantId", { tenantId: "t" }, true],
  ])("replaces the deployment for another %s", async (key, change, deleteBeforeReplace) => {
    expect(await after(change)).toMatchObject({ changes: true, replaces: [key], deleteBeforeReplace });
  });

  test.each([
    ["imageUri", { imageUri: "registry/agent:2" }],
    ["sourceConfig", { sourceConfig: { integration_id: "x" } }],
    ["secrets", { secrets: { A: "v" } }],
    ["secretsFromEnv", { secretsFromEnv: { A: "V" } }],
    ["triggers", { triggers: [1] }],
  ])("of %s makes a revision", async (key, change) => {
    expect(await after(change)).toMatchObject({
      changes: true,
      replaces: [],
      work: "revision",
      reasons: [`${key} changed`],
    });
  });

  test("of the address is noted where the deployment answers at the new one", async () => {
    const live = { ...(await checked(IMAGE)), ...REPORTED };
    const moved = { controlPlaneUrl: "https://other.example" };
    const news = await checked({ ...IMAGE, ...moved });
    const found = await diff(live, news, { env: () => undefined, isStillThere: true });
    expect(found).toMatchObject({ changes: true, replaces: [], work: "note" });
    expect(found.reasons).toEqual(["controlPlaneUrl changed; it leads to the same deployment"]);
    const other = await checked({ name: "a", source: "github", repoRef: "main", ...moved });
    const replaced = await diff(live, other, { env: () => undefined, isStillThere: true });
    expect(replaced).toMatchObject({ replaces: ["source"], deleteBeforeReplace: true });
  });

  test("that states what happens to a deployment at the end anyway is none", async () => {
    const live = { ...(await checked(IMAGE)), ...REPORTED };
    const stated = await checked({ ...IMAGE, onDelete: "delete" });
    expect(await compare({ ...live, adopted: false }, stated)).toMatchObject({ changes: false });
    expect(await compare({ ...live, onDelete: "delete" }, await checked(IMAGE))).toMatchObject({ changes: false });
    expect(await compare({ ...live, adopted: true }, stated)).toMatchObject({ changes: true, work: "note" });
  });

  test("of an option is noted, and no more", async () => {
    const changes: readonly Properties[] = [
      { wait: false },
      { timeoutSeconds: 5 },
      { adopt: "ifExists" },
      { onDelete: "retain" },
      { deletionProtection: true },
      { revisionDrift: "ignore" },
      { credential: { env: "V" } },
      { fieldNames: { a: "b" } },
      { ignoreSecretChanges: ["A"] },
      { customTimeouts: { create: "5m" } },
      { replaceOnChanges: ["name"] },
      { retainOnDelete: true },
      { secretSettings: ["*"] },
    ];
    for (const change of changes) {
      expect(await after(change), JSON.stringify(change)).toMatchObject({ changes: true, replaces: [], work: "note" });
    }
    const options = Object.entries(INPUT_ROLES).filter(([, role]) => role === "local");
    const notTold = options.map(([key]) => key).filter((key) => !changes.some((change) => key in change));
    expect(notTold).toEqual(["directory", "sourceSummary", "sourceFiles"]);
  });

  test("to a value that is not known yet counts as one", async () => {
    expect(await after({ imageUri: UNKNOWN })).toMatchObject({ work: "revision" });
    expect(await after({ name: UNKNOWN })).toMatchObject({ replaces: ["name"], deleteBeforeReplace: false });
  });

  test("of a folder's place is none while it holds the same", async () => {
    const of = (path: string, sourceHash: string) => ({
      name: "a",
      source: "internal_source",
      directory: { path },
      sourceHash,
    });
    expect(await compare({ ...of(".", "1"), ...REPORTED }, of("/elsewhere/sub", "1"))).toEqual(NOTHING);
    expect(await compare({ ...of(".", "1"), ...REPORTED }, of(".", "2"))).toMatchObject({ work: "revision" });
  });

  test("is found exactly where two states differ", async () => {
    const key = fc.constantFrom("imageUri", "triggers", "wait", "onDelete", "sourceConfig");
    const value = fc.jsonValue({ maxDepth: 2 }).map((json): unknown => JSON.parse(JSON.stringify(json)));
    await fc.assert(
      fc.asyncProperty(key, value, value, async (name, old, now) => {
        const { changes } = await compare({ ...IMAGE, [name]: old }, { ...IMAGE, [name]: now });
        expect(changes).toBe(JSON.stringify(sorted(old)) !== JSON.stringify(sorted(now)));
      }),
    );
  });
});

describe("a secret", () => {
  const base = { secrets: { A: "1", B: "2" } };

  test("that changes makes a revision, and the reason holds no value", async () => {
    const found = await after({ secrets: { A: "1", B: "other" } }, { base });
    expect(found).toMatchObject({ work: "revision", reasons: ["secrets changed"] });
  });

  test("whose changes are ignored makes none, unless it comes or goes", async () => {
    const ignoring = { ...base, ignoreSecretChanges: ["B"] };
    expect(await after({ secrets: { A: "1", B: "other" } }, { base: ignoring })).toEqual(NOTHING);
    expect(await after({ secrets: { A: "1" } }, { base: ignoring })).toMatchObject({ work: "revision" });
    expect(await after({ secrets: { A: "x", B: "other" } }, { base: ignoring })).toMatchObject({ work: "revision" });
  });

  test.each([
    [base, "secrets", ["A", "B"]],
    [{ secretsFromEnv: { A: "V" } }, "secretsFromEnv", ["A"]],
  ])("is removed when the program names none any more: %j", async (named, input, removed) => {
    const before = await checked({ ...IMAGE, ...named });
    const reasons = removed.map((name) => `the secret ${name} is no longer set and will be removed`);
    expect(await compare({ ...before, ...REPORTED }, await checked(IMAGE))).toMatchObject({
      ...{ changes: true, work: "revision", reasons: [`${input} changed`, ...reasons] },
    });
  });

  test("that the program never named is left alone", async () => {
    const before = await checked({ ...IMAGE, secrets: {} });
    const found = await compare({ ...before, ...REPORTED }, await checked(IMAGE));
    expect(found).toMatchObject({ work: "note", reasons: [] });
  });

  test("of the environment that counts again is sent, since nothing of it was kept", async () => {
    const news = await checked({ ...IMAGE, secretsFromEnv: { A: "V" } });
    const olds = { ...news, ...REPORTED, ignoreSecretChanges: ["A"] };
    expect(await compare(olds, news, { V: "v" })).toMatchObject({ work: "revision" });
    expect(await compare(olds, { ...news, ignoreSecretChanges: ["A"] }, { V: "v" })).toEqual(NOTHING);
  });

  test("of the environment is compared by a fingerprint that does not hold it", async () => {
    const news = await checked({ ...IMAGE, secretsFromEnv: { A: "V" } });
    const secretsFingerprint = await fingerprintSecrets({ secretsFromEnv: { A: "V" } }, { env: () => "the-value" });
    expect(JSON.stringify(secretsFingerprint)).not.toContain("the-value");
    const olds = { ...news, ...REPORTED, secretsFingerprint };
    expect(await compare(olds, news, { V: "the-value" })).toEqual(NOTHING);
    expect(await compare(olds, news, { V: "another" })).toMatchObject({
      work: "revision",
      reasons: ["the value of a secret of the environment changed"],
    });
    // On another machine the variable may not be there, and a refresh must not call that a change.
    expect(await compare(olds, news, {})).toEqual(NOTHING);
    const renamed = { ...news, secretsFromEnv: { A: "W" } };
    expect(await compare(olds, renamed, { W: "the-value" })).toEqual(NOTHING);
  });
});

describe("replaceOnChanges", () => {
  test.each([
    [["imageUri"], ["imageUri"]],
    [["*"], ["imageUri", "secrets"]],
    [["secrets.A"], ["secrets"]],
    [['secrets["A"]'], ["secrets"]],
    [["secrets.B"], []],
    [["secrets.*"], ["secrets"]],
    [["triggers[0]"], []],
    [["nothing"], []],
  ])("%j replaces for %j", async (replaceOnChanges, replaces) => {
    const base = { replaceOnChanges, secrets: { A: "1", B: "2" }, triggers: ["t"] };
    const found = await after({ imageUri: "x", secrets: { A: "other", B: "2" } }, { base });
    expect(new Set(found.replaces)).toEqual(new Set(replaces));
    expect(found.deleteBeforeReplace).toBe(replaces.length > 0);
  });

  test("replaces nothing for a secret whose changes are ignored", async () => {
    const base = { replaceOnChanges: ["*"], secrets: { A: "1" }, ignoreSecretChanges: ["A"] };
    expect(await after({ secrets: { A: "2" } }, { base })).toEqual(NOTHING);
  });
});

describe("what a refresh found", () => {
  test.each([
    [{ latestRevisionId: "r-2" }, "revision r-2 was made outside this program"],
    [{ drift: ["the secret A is missing"] }, "the secret A is missing"],
  ])("is deployed over, or left alone as revisionDrift says: %j", async (reported, reason) => {
    expect(await after({}, { reported })).toMatchObject({ changes: true, work: "revision", reasons: [reason] });
    expect(await after({}, { reported, base: { revisionDrift: "ignore" } })).toEqual(NOTHING);
  });

  test.each(["redeploy", "ignore"])(
    "is deployed over when it is our own revision that failed: %s",
    async (revisionDrift) => {
      const found = await after({}, { reported: { status: "BUILD_FAILED" }, base: { revisionDrift } });
      expect(found).toMatchObject({ work: "revision", reasons: ["revision r-1 ended as BUILD_FAILED"] });
    },
  );

  test.each([{ status: "BUILDING" }, { status: "NEW_STATUS" }, { managedRevisionId: null }])(
    "is none for a deployment on its way: %j",
    async (reported) => {
      expect(await after({}, { reported })).toEqual(NOTHING);
    },
  );
});

test("an update that did not end is taken up by the next one", async () => {
  const reasons = ["the last update did not finish"];
  expect(await after({}, { reported: { pending: "wait" } })).toMatchObject({ changes: true, work: "wait", reasons });
  expect(await after({}, { reported: { pending: "revision" } })).toMatchObject({ work: "revision", reasons });
  expect(await after({ imageUri: "x" }, { reported: { pending: "wait" } })).toMatchObject({ work: "revision" });
  expect(await after({ wait: false }, { reported: { pending: "wait" } })).toMatchObject({ work: "wait" });
});

/** A JSON value with the keys in order, and null like absent at the top. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedPart);
  return sortedPart(value);
}

function sortedPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedPart);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sortedPart(part)]),
  );
}

describe("a replacement of a deployment that stays in the service under its name", () => {
  const folder = { name: "a", source: "internal_source", sourceHash: "1" };

  test.each([
    ["its own input", { onDelete: "retain" }, {}],
    ["Pulumi's option", {}, { retainOnDelete: true }],
  ])("is refused with the way out: %s", async (_, before, now) => {
    const olds = { ...IMAGE, ...before, ...REPORTED };
    await expect(compare(olds, { ...folder, ...before, ...now })).rejects.toMatchObject({
      code: "RETAINED_NAME",
      advice: expect.stringContaining("`name`"),
    });
    expect(await compare(olds, { ...folder, ...before, ...now, name: "b" })).toMatchObject({
      deleteBeforeReplace: false,
    });
  });
});
