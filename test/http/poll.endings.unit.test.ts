import { describe, expect, test } from "vitest";
import { pauses, start, transient } from "./poll-rig.ts";

const fatal = new Error("fatal");

describe("failed looks", () => {
  test("any number in a row is survived that the caller calls transient", async () => {
    const { trace, result } = start(["building", ...Array<Error>(40).fill(transient), "done"]);
    expect(await result).toMatchObject({ done: true });
    expect(trace.failures).toHaveLength(40);
  });

  test("what is not transient ends the poll at once", async () => {
    const { trace, result } = start(["building", fatal, "done"]);
    await expect(result).rejects.toBe(fatal);
    expect(trace.looks).toHaveLength(2);
  });

  test("the pauses continue growing", async () => {
    const { trace, result } = start(["building", transient, transient, "done"]);
    await result;
    expect(pauses(trace)).toEqual([200, 2_000, 3_300]);
  });
});

describe("the timeout", () => {
  test("ends the wait with what was seen last", async () => {
    const { result } = start(["building"], () => ({ timeoutMilliseconds: 60_000 }));
    expect(await result).toEqual({ done: false, value: "building", elapsedMilliseconds: 60_000 });
  });

  test("there is one last look right at the end", async () => {
    const { trace, result } = start(["building"], () => ({ timeoutMilliseconds: 60_000 }));
    await result;
    expect(trace.looks.at(-1)).toBe(60_000);
  });

  test("what the last look finds done is a success", async () => {
    const { result } = start(["building"], (trace) => ({
      timeoutMilliseconds: 5_500,
      stateOf: () => "same",
      isDone: () => trace.clock.now() >= 5_500,
    }));
    expect(await result).toMatchObject({ done: true, elapsedMilliseconds: 5_500 });
  });

  test("slow looks count", async () => {
    const { trace, result } = start(["building"], (trace) => ({
      timeoutMilliseconds: 60_000,
      look: async () => {
        trace.clock.pass(25_000);
        return "building";
      },
    }));
    expect(await result).toMatchObject({ done: false });
    expect(trace.clock.now()).toBeLessThan(90_000);
  });

  test("nothing seen is no value", async () => {
    const { result } = start([transient], () => ({ timeoutMilliseconds: 3_000 }));
    expect(await result).toEqual({ done: false, value: undefined, elapsedMilliseconds: 3_000 });
  });
});

describe("an abort", () => {
  const reason = new Error("cancelled");

  test("during a pause ends the wait with its reason", async () => {
    const { result } = start(["building"], (trace) => ({ onHeartbeat: () => trace.cancel.abort(reason) }));
    await expect(result).rejects.toBe(reason);
  });

  test("during a look ends the wait with its reason, not with the failure of the look", async () => {
    const { trace, result } = start([], (trace) => ({
      look: async () => {
        trace.cancel.abort(reason);
        throw transient;
      },
    }));
    await expect(result).rejects.toBe(reason);
    expect(trace.failures).toEqual([]);
  });

  test("that a look does not notice ends the wait before the next look", async () => {
    let looks = 0;
    const { result } = start([], (trace) => ({
      look: async () => {
        looks += 1;
        trace.cancel.abort(reason);
        return "building";
      },
    }));
    await expect(result).rejects.toBe(reason);
    expect(looks).toBe(1);
  });
});
