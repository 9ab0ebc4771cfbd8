import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HttpStatusError, RedirectError } from "../../src/http/errors.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { refusal } from "../../src/http/bad-response.ts";
import { isSentence } from "../wire/texts-of.ts";
import { anyText } from "../wire/any-text.ts";

const url = new URL("https://host/v2/x");
const target = "GET https://host/v2/x";

function refuse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  redactor = new Redactor(),
) {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return refusal({ status, headers, body: bytes }, { url, target, redactor });
}

describe("the details", () => {
  test("a string detail is said as it is", () => {
    expect(refuse(404, { detail: "Deployment ID 1 not found." }).message).toBe(
      `${target} returned 404: Deployment ID 1 not found.`,
    );
  });

  test("an array of faults is one list, without the rejected input", () => {
    const fault = (field: string) => ({
      loc: ["body", "source_revision_config", field],
      msg: "Field required",
      type: "missing",
      input: "sk-1",
    });
    const { message } = refuse(422, { detail: [fault("graph_config_path"), fault("image_uri")] });
    expect(message).toContain(
      "source_revision_config.graph_config_path: Field required; source_revision_config.image_uri: Field required",
    );
    expect(message).not.toContain("sk-1");
  });

  test("a schema checker's text of several lines ends with its first", () => {
    const detail = "'x' is not of type 'integer'\n\nOn instance['limit']:\n    'the rejected input'";
    expect(refuse(422, { detail }).message).toBe(`${target} returned 422: 'x' is not of type 'integer'`);
  });

  test("plain text is said, and of a page of HTML the title", () => {
    expect(refuse(500, "Internal Server Error\nat x", { "content-type": "text/plain" }).message).toMatch(
      /: Internal Server Error$/,
    );
    expect(refuse(502, "<html>Bad gateway</html>", { "content-type": "text/html" }).message).toBe(
      `${target} returned 502`,
    );
    expect(refuse(403, "<title>Just a moment</title><p>x", { "content-type": "text/html" }).message).toBe(
      `${target} returned 403: Just a moment`,
    );
  });

  test("more than 20 faults are counted, and a long one is cut", () => {
    const detail = Array.from({ length: 30 }, (_, index) => ({ loc: ["body", index], msg: "bad", type: "x" }));
    expect(refuse(422, { detail })).toMatchObject({ details: { length: 21, 20: "and 10 more" } });
    expect(refuse(400, { detail: "x".repeat(100_000) }).message.length).toBeLessThan(700);
  });

  test("secrets are taken out, also where a long text is cut", () => {
    const redactor = new Redactor();
    redactor.add("sk-0123456789");
    const error = refuse(
      400,
      { detail: `${"x".repeat(495)}sk-0123456789` },
      { "x-request-id": "sk-0123456789" },
      redactor,
    );
    expect(error.message).not.toMatch(/sk-0/);
    expect(error).toMatchObject({ requestId: "***" });
  });

  test("a secret with a tab is taken out before the tab is", () => {
    const redactor = new Redactor();
    redactor.add("left-half\tright-half");
    expect(refuse(400, { detail: "bad: left-half\tright-half" }, {}, redactor).message).toMatch(/400: bad: \*\*\*$/);
  });

  test("whatever a server answers is one sentence", () => {
    const types = fc.constantFrom("application/json", "text/plain", "text/html", "");
    const details = fc.oneof(anyText, fc.jsonValue(), fc.array(fc.jsonValue()));
    const bodies = fc.oneof(
      details.map((detail) => JSON.stringify({ detail })),
      anyText,
    );
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), bodies, types, (status, body, type) => {
        const { message } = refuse(status, body, { "content-type": type, location: body, "x-request-id": body });
        expect(message).not.toMatch(/\p{Cc}|\[object/u);
      }),
    );
  });
});

test.each([
  [401, /API key/],
  [403, /tenant id/],
  [429, /later/],
  [500, /run again later/],
])("status %i has an advice", (status, advice) => {
  const error = refuse(status, {});
  expect(error).toBeInstanceOf(HttpStatusError);
  expect(error.advice).toMatch(advice);
  expect(isSentence(error.message)).toBe(true);
});

describe("a redirect", () => {
  const redirected = (location: string | undefined, more: object = {}) => {
    const redactor = new Redactor();
    redactor.add("Sk-Secret-4711");
    const headers = location === undefined ? {} : { location };
    return refusal({ status: 307, headers, body: Buffer.alloc(0) }, { url, target, redactor, ...more });
  };

  test.each([
    ["https://evil.example/x?y", "https://evil.example/x", "evil.example"],
    ["//evil.example:8443", "https://evil.example:8443", "evil.example:8443"],
    ["/sign-in#top", "https://host/sign-in", "host"],
    ["https://user:pass@other.example:8443/path?x=1", "https://other.example:8443/path", "other.example:8443"],
    [`https://idp.example/${"t".repeat(41)}/login`, "https://idp.example/…/login", "idp.example"],
    ["https://idp.example/Sk-Secret-4711", "idp.example", "idp.example"],
    ["http://[", "an unknown address", "an unknown address"],
    [undefined, "an unknown address", "an unknown address"],
  ])("to %s names where it leads, without user name and query", (location, address, host) => {
    const error = redirected(location);
    expect(error).toBeInstanceOf(RedirectError);
    expect(error).toMatchObject({ host });
    expect(error.message).toBe(`${target} returned 307, a redirect to ${address}, which is not followed`);
  });

  test.each([
    "https://Sk-Secret-4711.evil.example/x",
    "//Sk-Secret-4711.evil.example",
    "https://evil.example.%53k-Secret-4711/x",
    "https:\\\\Sk-Secret-4711.evil.example",
    "https://evil.example/%53k-Secret-4711/x",
  ])("to %s does not show the secret in it", (location) => {
    expect(redirected(location).message.toLowerCase()).not.toContain("secret-4711");
  });

  test("of the same path elsewhere says which part of the address to replace", () => {
    expect(redirected("https://new.example/v2/x/").advice).toBe(
      "Use https://new.example in place of https://host as the beginning of the address.",
    );
    expect(redirected("https://new.example/login").advice).toMatch(/sign in/);
    expect(redirected("https://host/v2/x/").advice).toMatch(/final address/);
  });

  test("of a request whose address is secret names the host alone", () => {
    expect(redirected("https://store.example/the-grant?sig=1", { hidesAddress: true }).message).toContain(
      "a redirect to store.example, which",
    );
  });
});
