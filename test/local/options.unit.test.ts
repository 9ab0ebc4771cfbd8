import { expect, test } from "vitest";
import { FieldNames } from "../../src/contract/field-names.ts";
import { LocalServiceShape } from "../../src/local/options.ts";

test("names that cannot be read in each direction are none", () => {
  const faultOf = (fieldNames: unknown) => LocalServiceShape.safeParse({ fieldNames }).error?.issues[0]?.message;
  const same = (value: unknown) => value;
  expect(faultOf(FieldNames.parse("id=acme_id"))).toBeUndefined();
  expect(faultOf({ toWire: same, fromWire: same })).toBe("must be a FieldNames, which FieldNames.parse returns");
});
