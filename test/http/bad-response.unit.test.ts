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

describe("a redirect", () => {
  test.each([
    ["https://evil.example/x?y", "evil.example"],
    ["//evil.example:8443", "evil.example:8443"],
    ["/sign-in", "host"],
    ["http://[", "an unknown address"],
  ])("to %s names where it leads", (location, host) => {
    const error = refuse(307, "", { location });
    expect(error).toBeInstanceOf(RedirectError);
    expect(error.message).toBe(`${target} returned 307, a redirect to ${host}, which is not followed`);
  });

  test("without a place is said to lead nowhere", () => {
    expect(refuse(301, "").message).toContain("an unknown address");
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
  const redirected = (location: string) => {
    const redactor = new Redactor();
    redactor.add("Sk-Secret-4711");
    return refuse(302, "", { location }, redactor).message;
  };

  test.each([
    "https://Sk-Secret-4711.evil.example/x",
    "//Sk-Secret-4711.evil.example",
    "https://evil.example.%53k-Secret-4711/x",
    "https:\\\\Sk-Secret-4711.evil.example",
  ])("to %s does not show the secret in its host", (location) => {
    expect(redirected(location).toLowerCase()).not.toContain("secret-4711");
  });

  test("to another host names it, without user name, path and query", () => {
    expect(redirected("https://user:pass@other.example:8443/path?x=1")).toContain("a redirect to other.example:8443,");
  });
});
