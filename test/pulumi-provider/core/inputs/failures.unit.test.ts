import { expect, test } from "vitest";
import { toFailures } from "../../../../pulumi-provider/core/inputs/failures.ts";

const same = (text: string) => text;

test("failures stand in the order of the inputs, each once, unknown names last", () => {
  const faults = [
    { path: ["no-such"], message: "is not an input" },
    { path: ["secrets", "A"], message: "is empty" },
    { path: ["name"], message: "is empty" },
    { path: ["name"], message: "is empty" },
  ];
  expect(toFailures({ name: "", secrets: { A: "" } }, faults, same).map(({ reason }) => reason)).toEqual([
    "name is empty.",
    "secrets.A is empty.",
    "no-such is not an input.",
  ]);
});

test("only an input with a number or a boolean is named as the property: the engine prints its value", () => {
  const inputs = { timeoutSeconds: 1, name: "secret", secrets: { A: 1 }, odd: 1 };
  const paths = [["timeoutSeconds"], ["name"], ["secrets", "A"], ["odd"], []];
  const named = toFailures(
    inputs,
    paths.map((path) => ({ path, message: `is wrong (${path.join()})` })),
    same,
  ).map(({ property }) => property);
  expect(named.filter((property) => property !== "")).toEqual(["timeoutSeconds"]);
});

test("secrets are taken out of a reason", () => {
  const failures = toFailures({}, [{ path: [], message: "The URL is hunter-2" }], (text) =>
    text.replace("hunter-2", "***"),
  );
  expect(failures).toEqual([{ property: "", reason: "The URL is ***." }]);
});
