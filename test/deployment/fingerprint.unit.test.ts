import { scryptSync } from "node:crypto";
import { expect, test } from "vitest";
import { changeSince, fingerprintOf, smokeRunHash } from "../../src/deployment/fingerprint.ts";
import type { DeployRequest } from "../../src/deployment/request.ts";
import { CHEAP } from "../cheap-hashes.ts";

type Request = Pick<DeployRequest, "secrets" | "sourceConfig">;

const SALT = Buffer.alloc(16, 7).toString("base64");
const requestOf = (request: Partial<Request>): Request => ({ sourceConfig: {}, secrets: undefined, ...request });
const of = (request: Partial<Request>) => fingerprintOf(requestOf(request), SALT);
const change = async (before: Partial<Request>, now: Partial<Request>) =>
  await changeSince(await of(before), requestOf(now));
const secret = (name: string, value: string) => ({ name, value });

test("equal values are equal in any order, and a salt of its own hides that", async () => {
  const one = await of({ secrets: [secret("A", "1"), secret("B", "2")] });
  const other = { secrets: [secret("B", "2"), secret("A", "1")] };
  expect(await changeSince(one, requestOf(other))).toBe("");
  const salted = await fingerprintOf({ sourceConfig: {}, secrets: [secret("A", "1"), secret("B", "2")] });
  expect(salted.hash).not.toBe(one.hash);
});

test("a hash covers all values at once, and leaves its cost to Node, which nothing but these tests lowers", async () => {
  const { hash } = await of({ secrets: [secret("B", "2"), secret("A", "1")] });
  const all = '{"sourceConfig":{},"values":{"A":"1","B":"2"}}';
  expect(hash).toBe(scryptSync(all, SALT, 32, CHEAP).toString("base64"));
});

test("between many hashes that are asked for at once the process does its other work", async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const values = Array.from({ length: 500 }, (_, index) => String(index));
  const all = await Promise.all(values.map((value) => of({ secrets: [secret("A", value)] })));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
  expect(new Set(all.map(({ hash }) => hash)).size).toBe(500);
  expect(all[7]).toEqual(await of({ secrets: [secret("A", "7")] }));
});

test("a value that changed shows, and is not shown", async () => {
  const one = await of({ secrets: [secret("A", "hunter-2")] });
  const other = requestOf({ secrets: [secret("A", "hunter-3")] });
  expect(await changeSince(one, other)).toBe("a secret or a setting of the source changed");
  expect(JSON.stringify(one)).not.toContain("hunter");
});

test("no secrets, none left, and secrets that stay as they are differ", async () => {
  const [none, some] = [{ secrets: [] }, { secrets: [secret("A", "1")] }];
  expect(await change({}, none)).toBe("the secrets changed from those of the deployment to none");
  expect(await change(none, some)).toBe("the secrets changed from none to A");
});

test("a smoke run differs by each of its parts", async () => {
  const fingerprint = await of({});
  const run = { graph: "a", input: { q: 1 }, expect: ["x"] };
  const hashes = await Promise.all(
    [run, { ...run, graph: "b" }, { ...run, input: { q: 2 } }, { ...run, expect: [] }, { ...run }].map((each) =>
      smokeRunHash(each, fingerprint),
    ),
  );
  expect(new Set(hashes).size).toBe(4);
  expect(hashes[4]).toBe(hashes[0]);
});
