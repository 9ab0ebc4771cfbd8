import { expect, test } from "vitest";
import { runToEnd, type UploadOutcome } from "../../src/files/upload-end.ts";
import { FastClock } from "../wire/clocks.ts";

type Status = "failed" | "partial" | "stored";

async function ended(work: () => Promise<UploadOutcome<Status, number>>) {
  const events: unknown[] = [];
  const clock = new FastClock();
  const emit = ({ status, error }: { readonly status: Status; readonly error: Error | undefined }) => {
    events.push([status, error?.message]);
  };
  const value = await runToEnd({ clock, emit }, work, (error) => ({ status: "failed", error })).catch(
    (error: unknown) => `thrown: ${String(error)}`,
  );
  return { value, events };
}

test("an upload ends once, with its value", async () => {
  expect(await ended(() => Promise.resolve({ status: "stored", value: 3 }))).toEqual({
    value: 3,
    events: [["stored", undefined]],
  });
});

test("an upload that stored a part says so, and throws", async () => {
  const error = new Error("the others");
  expect(await ended(() => Promise.resolve({ status: "partial", value: 3, error }))).toEqual({
    value: "thrown: Error: the others",
    events: [["partial", "the others"]],
  });
});

test("what is thrown is what its caller gets, and an error in the event", async () => {
  const signal = AbortSignal.abort("no disk");
  const work = () =>
    new Promise<never>(() => {
      signal.throwIfAborted();
    });
  expect(await ended(work)).toEqual({
    value: "thrown: no disk",
    events: [["failed", "no disk"]],
  });
});
