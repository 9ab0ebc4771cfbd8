import { testWith } from "../../../test-with.ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { closeLeft } from "../../../../action/github/records/close-left.ts";
import { stateOf } from "../../../github/deployments.ts";
import { cut, forbidden, secondaryLimit } from "../../../github/faults.ts";
import { LOG, records } from "./rig.ts";

/** A record that a main left, and the post script after it. */
async function left() {
  const parts = await records();
  const printed: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const main = parts.recorder();
  await main.begin();
  const unnamed = parts.saved[0] ?? "";
  parts.saved.splice(0, parts.saved.length - 1);
  const sent = parts.fake.requests.length;
  const close = async (more: Readonly<Record<string, string>> = {}) => {
    await closeLeft({ ...parts.fake.env, "INPUT_GITHUB-TOKEN": parts.fake.token, ...more }, parts.saved[0] ?? "");
    return parts.fake.requests.slice(sent).map(({ method }) => method);
  };
  const said = () => printed.filter((line) => line.startsWith("::warning"));
  const last = () => parts.fake.state.deployments.all[0]?.statuses.at(-1);
  const closeUnnamed = async () => {
    const env = { ...parts.fake.env, "INPUT_GITHUB-TOKEN": parts.fake.token };
    await closeLeft(env, unnamed, { clock: parts.clock });
  };
  return { ...parts, main, close, closeUnnamed, said, last };
}
const withLeft = testWith(left);

withLeft("a record that is still in progress is closed as an error", async ({ close, last, said }) => {
  expect(await close()).toEqual(["GET", "POST"]);
  expect(last()).toMatchObject({ state: "error", description: expect.stringContaining("ended") });
  expect(said()).toEqual([]);
});

test("a record that ended, or that another attempt retired, keeps its state", async () => {
  const { close, fake, main, said } = await left();
  await main.end("failure", {});
  fake.requests.length = 0;
  await close();
  expect(fake.state.deployments.all.map(stateOf)).toEqual(["failure"]);
  expect(said()).toEqual([]);
});

withLeft("an end that GitHub did not take then is given once more", async ({ close, fake, main, saved, last }) => {
  fake.faults.add({}, cut, Infinity);
  await main.end("success", { environmentUrl: "https://agent.example" });
  fake.faults.clear();
  saved.shift();
  await close();
  expect(last()).toMatchObject({ state: "success", environmentUrl: "https://agent.example", logUrl: LOG });
});

withLeft("what cannot be closed is one warning", async ({ close, fake, said, last }) => {
  fake.faults.add({ method: "POST" }, forbidden("deployments=write"));
  await close();
  expect(last()?.state).toBe("in_progress");
  expect(said()).toEqual([expect.stringContaining("403")]);
});

withLeft("a rate limit does not hold up the end of the job", async ({ close, fake, said }) => {
  fake.faults.add({}, secondaryLimit(), Infinity);
  expect(await close()).toEqual(["GET"]);
  expect(said()).toHaveLength(1);
});

withLeft("nothing is asked where the main has waited for a minute already", async ({ close, said }) => {
  expect(await close({ "STATE_github-stalled": "59500" })).toEqual([]);
  expect(said()).toHaveLength(1);
  expect(await close({ "STATE_github-stalled": "10000" })).toEqual(["GET", "POST"]);
});

withLeft("a saved state that is none is a warning", async ({ said }) => {
  await closeLeft({}, "{}");
  expect(said()).toHaveLength(1);
});

describe("a record whose response the main did not live to see", () => {
  test.each([0, 2])(
    "is found by what was saved before the request, also where %i lists do not have it",
    async (lists) => {
      const { fake, closeUnnamed, recorder, states, said } = await left();
      // Another step of the same run deploys the same to another service.
      await recorder({ service: "two" }).begin();
      fake.state.deployments.lag.lists = lists;
      const [other, own] = fake.state.deployments.all;
      fake.state.deployments.lag.made(own?.id ?? 0);
      await closeUnnamed();
      expect(other?.task).toBe(own?.task);
      expect({ states: states(), said: said() }).toEqual({ states: ["error", "in_progress"], said: [] });
    },
  );

  test("is not waited for any longer than a minute where GitHub answers only every third request", async () => {
    const { fake, closeUnnamed, clock, said } = await left();
    fake.state.deployments.lag.lists = 2;
    const [own] = fake.state.deployments.all;
    fake.state.deployments.lag.made(own?.id ?? 0);
    let [requests, stalled] = [0, 0];
    fake.faults.otherwise = () => {
      requests += 1;
      if (requests % 3 === 0) return {};
      stalled += 1;
      return {
        before: () => {
          clock.pass(10_000);
          return new Promise(() => undefined);
        },
      };
    };
    await closeUnnamed();
    expect(stalled).toBeLessThanOrEqual(6);
    expect(said()).toHaveLength(1);
  });

  withLeft("is not there where the request never arrived: nothing is written", async ({ fake, closeUnnamed, said }) => {
    for (const { id } of fake.state.deployments.all) {
      fake.state.deployments.delete(id);
    }
    await closeUnnamed();
    expect(fake.requests.at(-1)?.method).toBe("GET");
    expect(said()).toEqual([]);
  });
});
