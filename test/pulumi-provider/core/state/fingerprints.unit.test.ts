import { scryptSync } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { fingerprintSecrets } from "../../../../pulumi-provider/core/check/secrets.ts";
import { Fingerprints } from "../../../../pulumi-provider/core/state/fingerprints.ts";
import { CHEAP, hashed } from "../../../cheap-hashes.ts";

const values = (value: string) => ({ sourceConfig: {}, secrets: [{ name: "A", value }] });
const VARIABLES = ["KEY_OF_A"];
const SALT = "c2FsdC1vZi1hbi1lYXJsaWVyLXJ1bg==";

beforeEach(() => void Object.assign(hashed, { count: 0 }));

test("equal values are hashed once, however many ask at once, before and after", async () => {
  const fingerprints = new Fingerprints();
  const asked = await Promise.all(Array.from({ length: 100 }, () => fingerprints.of(values("one"), VARIABLES)));
  asked.push(await fingerprints.of(values("one"), VARIABLES));
  expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(1);
  // The state of this run is compared by a later look of the same run.
  const [first] = asked;
  expect(await fingerprints.withSalt(values("one"), first?.salt ?? "")).toEqual(first);
  expect(hashed.count).toBe(1);
});

test("other values never share a salt, so that a guess says nothing of two of them", async () => {
  const fingerprints = new Fingerprints();
  const all = await Promise.all(["one", "two", "three"].map((value) => fingerprints.of(values(value), VARIABLES)));
  expect(new Set(all.map(({ salt }) => salt)).size).toBe(3);
  expect(new Set(all.map(({ hash }) => hash)).size).toBe(3);
});

test("equal values of other variables share no salt, so that no state shows that they are equal", async () => {
  const fingerprints = new Fingerprints();
  const env = () => "one";
  const variables = ["KEY_OF_TESTS", "KEY_OF_PRODUCTION", "KEY_OF_TESTS"];
  const [tests, production, again] = await Promise.all(
    variables.map((variable) => fingerprintSecrets({ secretsFromEnv: { A: variable } }, { env, fingerprints })),
  );
  expect(again).toEqual(tests);
  expect(production?.names).toEqual(tests?.names);
  expect([production?.salt, production?.hash]).not.toContain(tests?.salt);
  expect(production?.hash).not.toBe(tests?.hash);
  expect(hashed.count).toBe(2);
});

test("another process has another salt for the same values", async () => {
  const [one, other] = await Promise.all(
    [new Fingerprints(), new Fingerprints()].map((each) => each.of(values("one"), VARIABLES)),
  );
  expect(one?.salt).not.toBe(other?.salt);
});

test("a fingerprint of an earlier version stays comparable", async () => {
  const earlier = scryptSync('{"sourceConfig":{},"values":{"A":"one"}}', SALT, 32, CHEAP).toString("base64");
  const fingerprints = new Fingerprints();
  expect((await fingerprints.withSalt(values("one"), SALT)).hash).toBe(earlier);
  expect((await fingerprints.withSalt(values("two"), SALT)).hash).not.toBe(earlier);
  // What is written next does not take over a salt that somebody else has chosen.
  expect((await fingerprints.of(values("one"), VARIABLES)).salt).not.toBe(SALT);
});
