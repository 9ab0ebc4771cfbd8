import { expect, test } from "vitest";
import { onAbort } from "../../src/http/on-abort.ts";

test("an abort calls all that was not taken back, once", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const call = (name: string) => onAbort(controller.signal, () => called.push(name));
  call("first");
  const takeBack = call("second");
  call("third");
  takeBack();
  takeBack();
  controller.abort();
  controller.abort();
  expect(called).toEqual(["first", "third"]);
});

test("what one call takes back is called all the same, as all were asked for when the signal aborted", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const stops: (() => void)[] = [];
  for (const name of ["first", "second"]) {
    stops.push(
      onAbort(controller.signal, () => {
        called.push(name);
        for (const stop of stops) stop();
      }),
    );
  }
  controller.abort();
  expect(called).toEqual(["first", "second"]);
});

test("a signal that has aborted calls at once, and once", () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => {
    called.push("before");
    onAbort(controller.signal, () => called.push("meanwhile"));
  });
  controller.abort();
  onAbort(controller.signal, () => called.push("after"));
  expect(called).toEqual(["before", "meanwhile", "after"]);
});
