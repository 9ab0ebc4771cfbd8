import { expect, test } from "vitest";
import { urlDecoded } from "../../src/text/url-decoded.ts";

test("a text is decoded, and one with other percent signs stays as it is", () => {
  expect(urlDecoded("a%20b%2Fc")).toBe("a b/c");
  expect(urlDecoded("100%")).toBe("100%");
  expect(urlDecoded("%ff")).toBe("%ff");
});
