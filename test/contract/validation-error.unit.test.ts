import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { DeploymentCreate, DeploymentPatch } from "../../src/contract/deployment.ts";
import { describeErrorBody, describeValidationError, toValidationErrors } from "../../src/contract/validation-error.ts";

test.each([
  [["body", "source_revision_config", "graph_config_path"], "source_revision_config.graph_config_path: Field required"],
  [["path", "deployment_id"], "deployment_id: Field required"],
  [["body", "secrets", 0, "value"], "secrets.0.value: Field required"],
  [["name"], "name: Field required"],
  [["source_config", "body"], "source_config.body: Field required"],
  [["body"], "Field required"],
  [[], "Field required"],
])("one fault at %j is a line", (loc, line) => {
  expect(describeValidationError({ loc, msg: "Field required" })).toBe(line);
});

describe("the body of an error", () => {
  test.each([
    ["a string", { detail: "Not found." }, ["Not found."]],
    ["an array of faults", { detail: [{ loc: ["body", "name"], msg: "bad", type: "x" }] }, ["name: bad"]],
    ["an array of strings", { detail: ["one", "two"] }, ["one", "two"]],
    ["an empty array", { detail: [] }, []],
    ["the refusal of a key", { error: "Forbidden" }, ["Forbidden"]],
    ["a message", { message: "quota exceeded" }, ["quota exceeded"]],
    ["a message with a capital", { Message: "User is not authorized" }, ["User is not authorized"]],
    ["a message within an error", { error: { code: 403, message: "quota exceeded" } }, ["quota exceeded"]],
    ["a message within a detail", { detail: { message: "quota exceeded", code: 7 } }, ["quota exceeded"]],
    [
      "an error and a message",
      { statusCode: 403, error: "Forbidden", message: "quota exceeded" },
      ["Forbidden: quota exceeded"],
    ],
    [
      "an error of OAuth",
      { error: "invalid_token", error_description: "it has expired" },
      ["invalid_token: it has expired"],
    ],
    ["a title", { type: "about:blank", title: "Out of credit", status: 403 }, ["Out of credit"]],
    ["a title and a detail", { title: "Out of credit", detail: "30 is needed" }, ["Out of credit: 30 is needed"]],
    ["a detail that repeats the title", { title: "Gone", detail: "Gone for good" }, ["Gone for good"]],
    ["a list of errors", { errors: [{ status: "403", detail: "a" }, { message: "b" }, "c"] }, ["a", "b", "c"]],
    ["an entry without a place", { detail: [{ msg: "bad" }] }, ["bad"]],
    ["an entry with a message", { detail: [{ loc: ["body", "name"], message: "bad" }] }, ["name: bad"]],
    ["an entry with a place of one word", { detail: [{ loc: "name", msg: "bad" }] }, ["name: bad"]],
    ["an entry with odd steps", { detail: [{ loc: ["body", null, "a", { b: 1 }, 0], msg: "bad" }] }, ["a.0: bad"]],
    ["odd entries among others", { detail: [7, null, {}, { loc: [] }, { msg: "bad" }] }, ["bad"]],
    ["an empty detail and a message", { detail: [], message: "bad" }, ["bad"]],
    ["text alone", "quota exceeded", ["quota exceeded"]],
  ])("with %s is read", (_what, body, lines) => {
    expect(describeErrorBody(body)).toEqual(lines);
  });

  test.each([
    undefined,
    null,
    7,
    " ",
    [],
    {},
    { detail: "" },
    { detail: 7 },
    { detail: { code: 1 } },
    { data: { message: "no" } },
    { error: { code: 1 } },
    { message: { message: { message: { message: { message: { message: "too deep" } } } } } },
    { error: "" },
  ])("%j says nothing that is known here", (body) => {
    expect(describeErrorBody(body)).toEqual([]);
  });

  test("never prints the rejected input or its context", () => {
    const secret = fc.uuid();
    fc.assert(
      fc.property(secret, (value) => {
        const fault = {
          loc: ["body", "secrets", 0, "value"],
          msg: "too long",
          type: "x",
          input: value,
          ctx: { given: value },
        };
        for (const body of [
          { detail: [fault] },
          { errors: [{ ...fault, message: "x" }], body: value },
          { error: fault },
        ]) {
          expect(describeErrorBody(body)).toHaveLength(1);
          expect(JSON.stringify(describeErrorBody(body))).not.toContain(value);
        }
      }),
    );
  });
});

describe("what zod finds", () => {
  test("takes the form of the service", () => {
    const schema = z.object({ list: z.array(z.object({ name: z.string() })) });
    const { error } = schema.safeParse({ list: [{}] });
    expect(toValidationErrors(error ?? new z.ZodError([]), "body")).toEqual([
      { loc: ["body", "list", 0, "name"], msg: expect.stringContaining("expected string"), type: "invalid_type" },
    ]);
  });

  test("never repeats what was given, in any request of ours", () => {
    const marker = "sk-0123456789";
    const value = fc.oneof(
      fc.constantFrom<unknown>(marker, 7, null, true, [marker], { odd: marker }),
      fc.record({ name: fc.constantFrom<unknown>(7, marker), value: fc.constantFrom<unknown>(7, null, { marker }) }),
    );
    const body = fc.dictionary(
      fc.constantFrom("name", "source", "source_config", "source_revision_config", "secrets"),
      fc.oneof(value, fc.array(value, { maxLength: 3 })),
    );
    fc.assert(
      fc.property(body, fc.constantFrom(DeploymentCreate, DeploymentPatch), (given, schema) => {
        const parsed = schema.safeParse(given);
        const lines = parsed.success ? [] : toValidationErrors(parsed.error).map(describeValidationError);
        expect(lines.join("\n")).not.toContain(marker);
      }),
    );
  });
});
