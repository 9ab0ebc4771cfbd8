import { expect, test } from "vitest";
import { all } from "../agent-server/rig.ts";
import { deployed, start } from "../local/caller.ts";
import { askerAt, trialOf } from "./asked.ts";
import { testEndings } from "./endings.ts";

const EVALUATION = "e-1";

async function local() {
  const service = await start();
  const { url } = await deployed(service);
  const rig = askerAt(url);
  await rig.asker.meet();
  return { service, url, ...rig };
}

test("a trial is answered", async () => {
  const { asker, threads } = await local();
  const asked = await asker.ask(trialOf("c-1", { question: "why?" }), { evaluation: EVALUATION });
  expect(asked).toMatchObject({ outcome: "answered" });
  await asker.remove(asked.threadId);
  expect(await all(threads.search())).toEqual([]);
});

testEndings("the built-in agent", async () => {
  const { faults, url } = await (async () => {
    const service = await start();
    return { faults: service.faults, url: (await deployed(service)).url };
  })();
  return {
    url,
    tell: async (fate) => {
      faults.nextRun(fate);
      return await Promise.resolve({});
    },
    release: async () => {
      faults.runs.release();
      await Promise.resolve();
    },
  };
});
