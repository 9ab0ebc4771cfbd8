import { expect, test } from "vitest";
import { uncheckedTlsWarning } from "../../src/http/unchecked-tls.ts";

test("an environment in which no certificate is checked has a warning that says what to do", () => {
  expect(uncheckedTlsWarning(() => "0")).toMatch(/^NODE_TLS_REJECT_UNAUTHORIZED is 0: .*Unset it/);
});

test.each([undefined, "", "1", "false"])("%j has none, since Node checks certificates then", (value) => {
  expect(uncheckedTlsWarning(() => value)).toBe("");
});
