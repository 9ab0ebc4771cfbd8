import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ValidationError } from "../../src/contract/validation-error.ts";
import { refusal, shownLines } from "../../src/http/bad-response.ts";
import { HttpStatusError } from "../../src/http/errors.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { hideSent, type HideSent } from "../../src/http/sent-echo.ts";
import { propertyRuns } from "../property-runs.ts";
import { anyText } from "../wire/any-text.ts";

const SECRET = "sk-secret-of-the-run";

function violationsOf(body: unknown, { status = 422, hide }: { status?: number; hide?: HideSent } = {}) {
  const redactor = new Redactor();
  redactor.add(SECRET);
  const url = new URL("https://host/v2/x");
  const answer = { status, headers: {}, body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)) };
  const error = refusal(answer, { url, target: "GET https://host/v2/x", redactor, hide });
  return error instanceof HttpStatusError ? error.violations : undefined;
}

const detail = (...entries: readonly unknown[]) => ({ detail: entries });
const MISSING = { loc: ["body", "results", 3, "inputs"], msg: "Field required", type: "missing" };

describe("the violations of a response", () => {
  test("are its list, field by field, without the rejected input", () => {
    expect(violationsOf(detail({ ...MISSING, input: "private", ctx: {} }))).toEqual([MISSING]);
  });

  test.each<[string, unknown]>([
    ["a text", { detail: "Deployment not found." }],
    ["no detail", {}],
    ["an empty list", detail()],
    ["a list of texts", detail("x", null, 7)],
    ["a page", "<html>"],
    ["an entry without a type", detail({ loc: [], msg: "x" })],
    ["an entry whose place is a text", detail({ loc: "body", msg: "x", type: "y" })],
    ["an entry whose place has an object", detail({ loc: ["body", {}], msg: "x", type: "y" })],
  ])("are none where the server sends %s", (_, body) => {
    expect(violationsOf(body)).toEqual([]);
  });

  test("are those that can be read, beside others", () => {
    expect(violationsOf(detail("x", MISSING, { loc: [] }))).toEqual([MISSING]);
  });

  test("are there with each status that has such a list", () => {
    expect(violationsOf(detail(MISSING), { status: 400 })).toEqual([MISSING]);
  });

  test("are 20 at most, and each is cut", () => {
    const [first, ...others] =
      violationsOf(detail(...Array.from({ length: 30 }, () => ({ ...MISSING, msg: "x".repeat(5_000) })))) ?? [];
    expect(others).toHaveLength(19);
    expect(first?.loc).toEqual(MISSING.loc);
    expect(first?.msg.length).toBeLessThan(510);
  });

  test.each<[string, Partial<ValidationError>, ValidationError]>([
    ["a secret in its message", { msg: `bad ${SECRET}` }, { ...MISSING, msg: "bad ***" }],
    ["a secret in its place", { loc: ["body", SECRET] }, { loc: [], msg: "***: Field required", type: "missing" }],
    ["several lines", { msg: "bad\nOn instance: 'input'" }, { ...MISSING, msg: "bad" }],
    ["an escape sequence", { msg: "a\u001b[31mred\u202eb" }, { ...MISSING, msg: "a [31mredb" }],
    ["a line break in its place", { loc: ["body", "a\nb"] }, { loc: [], msg: "a", type: "missing" }],
    ["a type that is a sentence", { type: "::error::x y" }, { ...MISSING, type: "" }],
    ["an empty message", { msg: "" }, { ...MISSING, msg: "" }],
    ["no place", { loc: [] }, { ...MISSING, loc: [] }],
    [
      "a place without end",
      { loc: Array.from({ length: 101 }, () => "a") },
      expect.objectContaining({ loc: [] }) as never,
    ],
  ])("are made harmless where one has %s", (_, change, expected) => {
    expect(violationsOf(detail({ ...MISSING, ...change }))).toEqual([expected]);
  });

  test("hide what the lines of the error hide", () => {
    const hide = (line: string) => line.replace("private", "…");
    expect(violationsOf(detail({ ...MISSING, msg: "private is too long" }), { hide })).toEqual([
      { ...MISSING, msg: "… is too long" },
    ]);
    expect(violationsOf(detail(MISSING), { hide: () => "" })).toEqual([{ loc: [], msg: "", type: "" }]);
  });

  test.each<[string, Partial<ValidationError>]>([
    ["the place of one without a message", { loc: ["body", "a broken heart in Ulm"], msg: "" }],
    ["the message", { msg: "a broken heart in Ulm is too long" }],
    ["the type", { type: "broken_heart_in_Ulm" }],
  ])("repeat nothing that was sent in %s", async (_, change) => {
    const answer = { status: 422, headers: {}, body: Buffer.from(JSON.stringify(detail({ ...MISSING, ...change }))) };
    const redactor = new Redactor();
    const content = JSON.stringify({ "a broken heart in Ulm": "a broken heart in Ulm", broken_heart_in_Ulm: 1 });
    const sent = { content, fields: ["results", "inputs"], shown: [] };
    const hide = await hideSent(shownLines(answer, redactor), sent, new AbortController().signal);
    const error = refusal(answer, { url: new URL("https://host/x"), target: "POST https://host/x", redactor, hide });
    expect(JSON.stringify([error, "violations" in error && error.violations])).not.toMatch(/broken|Ulm/);
  });

  test("keep their type where nothing of it was sent", async () => {
    const answer = { status: 422, headers: {}, body: Buffer.from(JSON.stringify(detail(MISSING))) };
    const redactor = new Redactor();
    const sent = { content: '{"results":[{"inputs":"why"}]}', fields: ["results", "inputs"], shown: [] };
    const hide = await hideSent(shownLines(answer, redactor), sent, new AbortController().signal);
    const error = refusal(answer, { url: new URL("https://host/x"), target: "POST https://host/x", redactor, hide });
    expect(error).toMatchObject({ violations: [MISSING] });
  });

  test("are bounded, visible and without secrets, whatever a server sends", () => {
    const step = fc.oneof(anyText, fc.integer(), fc.constant(SECRET));
    const entry = fc.record({ loc: fc.array(step), msg: anyText.map((text) => text + SECRET), type: anyText });
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, fc.jsonValue()), { maxLength: 40 }), (entries) => {
        const violations = violationsOf({ detail: entries }) ?? [];
        expect(violations.length).toBeLessThanOrEqual(20);
        for (const { loc, msg, type } of violations) {
          for (const text of [...loc.map(String), msg, type]) {
            expect(text.length).toBeLessThanOrEqual(501);
            expect(text).not.toMatch(/\p{Cc}|\u202e/u);
            expect(text).not.toContain(SECRET);
          }
        }
      }),
      { numRuns: propertyRuns(1) },
    );
  });
});
