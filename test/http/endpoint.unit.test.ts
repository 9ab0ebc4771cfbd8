import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { Endpoint } from "../../src/http/endpoint.ts";
import { CredentialsError } from "../../src/http/errors.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { textsOf } from "../wire/texts-of.ts";

const ADDRESS = "https://service.example/api";
const ALL = { apiKey: "key-1", bearerToken: "token-1", tenantId: "tenant-1" };

test("each of the three ways has its header, and only those that are given are sent", () => {
  const headersOf = (credentials: object) => new Endpoint(ADDRESS, credentials).request("/ok").headers;
  expect(headersOf({ apiKey: "key-1", tenantId: "tenant-1" })).toEqual({
    "x-api-key": "key-1",
    "x-tenant-id": "tenant-1",
  });
  expect(headersOf({ bearerToken: "token-1" })).toEqual({ authorization: "Bearer token-1" });
  expect(headersOf({})).toEqual({});
});

test("key and token are secrets from then on, the tenant is not", () => {
  const redactor = new Redactor();
  new Endpoint(ADDRESS, ALL).teach(redactor);
  expect(redactor.text("key-1 token-1 tenant-1")).toBe("*** *** tenant-1");
});

describe("no text of an endpoint shows its secrets", () => {
  const endpoint = new Endpoint(`${ADDRESS}?signature=sealed`, ALL);

  test.each([
    ["as a string", () => String(endpoint)],
    ["as JSON", () => JSON.stringify({ endpoint })],
    ["in a log", () => inspect({ endpoint }, { depth: Infinity, showHidden: true })],
  ])("%s", (_how, show) => {
    expect(show()).toContain(ADDRESS);
    expect(show()).toContain("***");
    expect(show()).not.toMatch(/key-1|token-1|sealed/);
  });

  test("nor does one without credentials show more than its address", () => {
    expect(String(new Endpoint(ADDRESS))).toBe(ADDRESS);
  });
});

describe("credentials belong to an address", () => {
  test("and are sent below it only", () => {
    const { url } = new Endpoint(ADDRESS, ALL).below("/v1").request("//evil.example/x", { limit: 1 });
    expect(url.href).toBe("https://service.example/v1//evil.example/x?limit=1");
  });

  test("which nobody can change from outside", () => {
    const endpoint = new Endpoint(ADDRESS, ALL);
    endpoint.url.hostname = "evil.example";
    expect(endpoint.request("/ok").url.hostname).toBe("service.example");
  });

  test("an agent server gets the same key, without the tenant, and is marked as named by the service", () => {
    const agent = new Endpoint(ADDRESS, ALL).agentServer("https://agent.example");
    expect(agent.request("/ok")).toEqual({
      url: new URL("https://agent.example/ok"),
      headers: { "x-api-key": "key-1", authorization: "Bearer token-1" },
    });
    expect(agent.namedBy?.href).toBe(ADDRESS);
  });
});

test.each([
  ["a line break at its end", "key-0123\n"],
  ["a header within", "key-0123\r\nx-evil: 1"],
  ["a NUL", "key\u00000123"],
  ["a letter beyond ASCII", "kéy-0123"],
  ["a quotation mark of a word processor", "“key-0123”"],
  ["a blank within", "key 0123"],
  ["nothing", ""],
])("a value that no header can hold is refused and not repeated %s", (_what, value) => {
  for (const credentials of [{ apiKey: value }, { bearerToken: value }, { tenantId: value }]) {
    const act = () => new Endpoint(ADDRESS, credentials);
    expect(act).toThrow(CredentialsError);
    try {
      act();
    } catch (error) {
      if (value !== "") expect(textsOf(error).join("\n")).not.toContain(value);
    }
  }
});
