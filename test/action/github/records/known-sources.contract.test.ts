import { expect, test } from "vitest";
import { readKnownSources } from "../../../../action/github/records/known-sources.ts";
import { revisionText } from "../../../../action/github/records/states.ts";
import { MAIN_SHA } from "../../../github/repository.ts";
import { records } from "./rig.ts";

const PLACE = { environment: "staging", task: "deploy:agent", service: "one" };
const digest = (digit: number) => `sha256:${String(digit).repeat(64)}`;

/** Records of deploys, each of a revision and its files. */
async function deploys() {
  const { recorder, github, fake, ...parts } = await records();
  const deployed = async (revision: string, of: number | undefined, change: Parameters<typeof recorder>[0] = {}) => {
    const one = recorder({ digest: of === undefined ? undefined : digest(of), ...change });
    await one.begin();
    await one.end("success", { description: `${revisionText(revision)}, 2 min 4 s` });
  };
  return { ...parts, fake, deployed, known: () => readKnownSources(github, PLACE) };
}

test("the records of a place say which files each revision has, and of which commit, also once they are replaced", async () => {
  const { deployed, known } = await deploys();
  await deployed("AAAA-1", 1);
  await deployed("bbbb-2", 2);
  await deployed("cccc-3", undefined);
  await deployed("dddd-4", 1, { rolledBackTo: "AAAA-1" });
  await deployed("eeee-5", 5, { service: "another" });
  await deployed("ffff-6", 6, { name: "other-agent" });
  expect(await known()).toEqual(
    new Map([
      ["aaaa-1", { digest: digest(1), commit: MAIN_SHA }],
      ["bbbb-2", { digest: digest(2), commit: MAIN_SHA }],
      ["cccc-3", { digest: undefined, commit: MAIN_SHA }],
      ["dddd-4", { digest: digest(1), commit: undefined }],
    ]),
  );
});

test("a record whose digest is none, or that names no revision, says nothing of its files", async () => {
  const { deployed, known } = await deploys();
  await deployed("aaaa-1", undefined, { digest: "sha256:short" });
  await deployed("", 2);
  expect(await known()).toEqual(new Map([["aaaa-1", { digest: undefined, commit: MAIN_SHA }]]));
});

test("no more than 20 records are looked at", { tags: "slow" }, async () => {
  const { deployed, known, fake } = await deploys();
  for (let run = 0; run < 22; run += 1) await deployed(`run-${String(run)}`, run % 10);
  const before = fake.requests.length;
  const found = await known();
  expect([...found.keys()]).toEqual(Array.from({ length: 20 }, (_, index) => `run-${String(21 - index)}`));
  expect(fake.requests.length - before).toBe(21);
});
