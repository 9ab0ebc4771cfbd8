import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/http/redactor.ts";

// Without `*`, because a secret of asterisks stays one.
const secrets = fc.string({ unit: "grapheme", minLength: 4, maxLength: 40 }).filter((text) => {
  return text.trim().length >= 4 && !text.includes("*") && !/^(true|false|null|none)$/i.test(text);
});

describe("a secret", () => {
  test("is taken out of any text, as it is, in a URL and in JSON", () => {
    fc.assert(
      fc.property(secrets, fc.string(), fc.string(), (secret, before, after) => {
        const redactor = new Redactor();
        redactor.add(secret);
        const forms = [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)];
        for (const form of forms) expect(redactor.text(`${before} ${form} ${after}`)).not.toContain(form);
      }),
    );
  });

  test("of several lines is taken out line by line", () => {
    const redactor = new Redactor();
    redactor.add("-----BEGIN KEY-----\nMIIEvQIBADAN\r\nBgkqhkiG9w0B\n");
    expect(redactor.text("line: MIIEvQIBADAN and BgkqhkiG9w0B")).toBe("line: *** and ***");
  });

  test("that starts like another one leaves nothing of it behind", () => {
    const redactor = new Redactor();
    redactor.add("token");
    redactor.add("token-of-production");
    expect(redactor.text("token-of-production, token")).toBe("***, ***");
  });

  test("is reported once to those that mask it elsewhere, in each form", () => {
    const told: string[] = [];
    const redactor = new Redactor((value) => told.push(value));
    redactor.add('pass "word"');
    redactor.add('pass "word"');
    expect(told).toEqual(['pass "word"', "pass%20%22word%22", 'pass \\"word\\"']);
  });
});

test.each(["abc", "   ", "true", "False", "null"])("%j is an ordinary word and stays", (word) => {
  const redactor = new Redactor();
  redactor.add(word);
  expect(redactor.text(`before ${word} after`)).toBe(`before ${word} after`);
});

test("a text without secrets stays as it is", () => {
  const redactor = new Redactor();
  redactor.add("sk-0123456789");
  expect(redactor.text("nothing here, $& $1 neither")).toBe("nothing here, $& $1 neither");
});

test("a text holds a secret that is in it, and one too short to be masked where it is all of the text", () => {
  const redactor = new Redactor();
  redactor.add("hunter2!");
  redactor.add("abc");
  const held = ["Bearer hunter2!", "hunter2%21", "https://me:hunter2!@host", "abc", " abc\n"];
  expect(held.filter((text) => !redactor.holds(text))).toEqual([]);
  const free = ["", "abcd", "hunter", "postgres://me:mine@host/db"];
  expect(free.filter((text) => redactor.holds(text))).toEqual([]);
});
