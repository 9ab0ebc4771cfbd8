import { expect, test } from "vitest";
import { KeysOfAddresses } from "../../../../pulumi-provider/core/service/keys-of-addresses.ts";
import { Fingerprints } from "../../../../pulumi-provider/core/state/fingerprints.ts";
import type { Properties } from "../../../../pulumi-provider/core/state/state.ts";

const [OLD, NEW] = ["https://old.example", "https://new.example"];

/** The keys of a process with these variables. */
const of = (variables: Readonly<Record<string, string>>) =>
  new KeysOfAddresses({ config: () => undefined, env: (name) => variables[name] }, new Fingerprints());

const commonAt = (url: string, key = "key-0123456789") => ({ GRAPH_DEPLOY_URL: url, GRAPH_DEPLOY_API_KEY: key });

async function stateAt(variables: Readonly<Record<string, string>>, news: Properties = {}): Promise<Properties> {
  return { controlPlaneUrl: variables["GRAPH_DEPLOY_URL"], ...news, ...(await of(variables).markOf(news)) };
}

test("the key with which a state was written may be sent to its address again", async () => {
  const state = await stateAt(commonAt(OLD));
  expect(await of(commonAt(NEW)).mayBeSent(state, {})).toBe(true);
});

test("another key goes to an address that the environment still names, and not to one that was left", async () => {
  const state = await stateAt(commonAt(OLD));
  expect(await of(commonAt(OLD, "new-key-0123456789")).mayBeSent(state, undefined)).toBe(true);
  const moved = of(commonAt(NEW, "new-key-0123456789"));
  expect(await moved.mayBeSent(state, undefined)).toBe(false);
  expect(await moved.mayBeSent(state, { controlPlaneUrl: NEW })).toBe(false);
});

test("a state keeps the key nowhere, and where there is none nothing can leak", async () => {
  const state = await stateAt(commonAt(OLD));
  expect(JSON.stringify(state)).not.toContain("key-0123456789");
  expect(await of({ GRAPH_DEPLOY_URL: NEW }).mayBeSent({ controlPlaneUrl: "http://127.0.0.1:1" }, {})).toBe(true);
});

test("a mark that cannot be read keeps a key from an address that only the state names, as that of another key does", async () => {
  const env = { GRAPH_DEPLOY_API_KEY: "key-0123456789" };
  for (const keyFingerprint of [
    { salt: "c2FsdA==", hash: "of another" },
    { salt: "c2FsdA==" },
    { salt: 5, hash: "x" },
  ]) {
    const state = { controlPlaneUrl: OLD, __internals: { ownAddress: true, keyFingerprint } };
    expect(await of(env).mayBeSentUnseen(state)).toBe(false);
  }
});
