import { describe, expect, test } from "vitest";
import { credentialHeaders } from "../../src/http/credentials.ts";
import { CredentialsError } from "../../src/http/errors.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { textsOf } from "../wire/texts-of.ts";

test("each of the three ways has its header, and only those that are given are sent", () => {
  const redactor = new Redactor();
  expect(credentialHeaders({ apiKey: "key-1", tenantId: "tenant-1" }, redactor)).toEqual({
    "x-api-key": "key-1",
    "x-tenant-id": "tenant-1",
  });
  expect(credentialHeaders({ bearerToken: "token-1" }, redactor)).toEqual({ authorization: "Bearer token-1" });
  expect(credentialHeaders({}, redactor)).toEqual({});
});

test("key and token are secrets from then on, the tenant is not", () => {
  const redactor = new Redactor();
  credentialHeaders({ apiKey: "key-1", bearerToken: "token-1", tenantId: "tenant-1" }, redactor);
  expect(redactor.text("key-1 token-1 tenant-1")).toBe("*** *** tenant-1");
});

describe("a value that no header can hold is refused and not repeated", () => {
  test.each([
    ["a line break at its end", "key-0123\n"],
    ["a header within", "key-0123\r\nx-evil: 1"],
    ["a NUL", "key\u00000123"],
    ["a letter beyond ASCII", "kéy-0123"],
    ["a quotation mark of a word processor", "“key-0123”"],
    ["nothing", ""],
  ])("%s", (_what, value) => {
    for (const credentials of [{ apiKey: value }, { bearerToken: value }, { tenantId: value }]) {
      const act = () => credentialHeaders(credentials, new Redactor());
      expect(act).toThrow(CredentialsError);
      try {
        act();
      } catch (error) {
        if (value !== "") expect(textsOf(error).join("\n")).not.toContain(value);
      }
    }
  });
});
