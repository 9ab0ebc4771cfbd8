import { hostOf } from "../hosted.ts";
import { expect, test } from "vitest";
import { InputReader } from "../../../front/options/input-reader.ts";

test("a secret that was pasted into the wrong input stands in no error and no warning", () => {
  const reader = new InputReader(
    hostOf({ INPUT_WAIT: "hunter-2-secret" }),
    { defaults: { wait: "true" }, neverEmpty: {} },
    ["hunter-2-secret"],
  );
  reader.boolean("wait");
  reader.warn("`wait` is hunter-2-secret.");
  expect(reader.faults).toEqual([{ input: "wait", message: '"***" is not valid (choose true or false)' }]);
  expect(reader.warnings).toEqual(["`wait` is ***."]);
});
