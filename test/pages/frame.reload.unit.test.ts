import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { RELOAD_SCRIPT } from "../../src/pages/frame.ts";

/** A page that runs the script, and whether it loads itself again when its time has come. */
function madePage() {
  let [loads, tick] = [0, () => {}];
  let onInput: (event: { target: Field }) => void = () => {};
  const document = { activeElement: null as { closest: (selector: string) => unknown } | null };
  runInNewContext(RELOAD_SCRIPT, {
    document,
    addEventListener: (_: "input", listen: typeof onInput) => void (onInput = listen),
    setInterval: (work: () => void) => void (tick = work),
    location: { reload: () => (loads += 1) },
  });
  const isLoadedAgain = () => {
    const before = loads;
    tick();
    return loads > before;
  };
  return { document, isLoadedAgain, change: (target: Field) => onInput({ target }) };
}

interface Field {
  readonly value: string;
  readonly defaultValue?: string;
}

test("a page loads itself again until it is left", () => {
  const { isLoadedAgain } = madePage();
  expect([isLoadedAgain(), isLoadedAgain()]).toEqual([true, true]);
});

test("a page stays while its reader is in a form", () => {
  const { document, isLoadedAgain } = madePage();
  document.activeElement = { closest: (selector) => (selector === "form" ? {} : null) };
  expect(isLoadedAgain()).toBe(false);
  document.activeElement = { closest: () => null };
  expect(isLoadedAgain()).toBe(true);
});

test("a page stays while a search is half typed or another choice is made, and goes on once that is taken back", () => {
  const { change, isLoadedAgain } = madePage();
  change({ value: "sup", defaultValue: "" });
  expect(isLoadedAgain()).toBe(false);
  change({ value: "", defaultValue: "" });
  expect(isLoadedAgain()).toBe(true);
  change({ value: "an id of a select" });
  expect(isLoadedAgain()).toBe(false);
});
