import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SecretMask } from "../../src/text/secret-mask.ts";

// Without `*`, because a secret of asterisks stays one.
const secrets = fc
  .string({ unit: "grapheme", minLength: 4, maxLength: 30 })
  .filter((text) => text.trim().length >= 4 && !text.includes("*") && !/^(true|false|null|none)$/i.test(text));

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const unicode = (text: string) =>
  text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** How programs write a text. */
const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "as a part of a URL": (text) => encodeURIComponent(text),
  "as a URL in lower case": (text) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
  "as a whole URL": (text) => encodeURI(text),
  "as a form": (text) => new URLSearchParams([["", text]]).toString().slice(1),
  "as a URL of which each byte is an escape": (text) => percent(text).toUpperCase(),
  "as JSON": (text) => JSON.stringify(text).slice(1, -1),
  "as JSON with escaped slashes": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "as JSON of which each unit is an escape": unicode,
  "as JSON within JSON": (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  "as JSON within a URL": (text) => encodeURIComponent(JSON.stringify(text).slice(1, -1)),
};

function maskOf(...values: readonly string[]): SecretMask {
  const mask = new SecretMask();
  for (const value of values) mask.add(value);
  return mask;
}

describe("a secret", () => {
  test.each(Object.entries(SPELLINGS))("is taken out %s", (_, spelled) => {
    fc.assert(
      fc.property(secrets, fc.string(), fc.string(), (secret, before, after) => {
        const form = spelled(secret);
        expect(maskOf(secret).text(`${before} ${form} ${after}`)).not.toContain(form);
      }),
    );
  });

  test("is taken out when only some of its characters are written as escapes, each in a way of its own", () => {
    const ways = fc.constantFrom((text: string) => text, percent, unicode);
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/=_-]{8,40}$/), fc.array(ways, { minLength: 1 }), (secret, used) => {
        const form = Array.from(secret, (character, index) => used[index % used.length]?.(character)).join("");
        expect(maskOf(secret).text(`<${form}>`)).toBe("<***>");
      }),
    );
  });

  test("that is handed over as in a URL is taken out decoded", () => {
    expect(maskOf("a%2Fb%2Bc%3D").text("got a/b+c= and a%2fb%2bc%3d")).toBe("got *** and ***");
  });

  test("that overlaps another one leaves nothing of either", () => {
    expect(maskOf("secret-one", "one-two").text("x secret-one-two y")).toBe("x *** y");
  });

  test("that is common stays, unless the text is about it and it stands alone", () => {
    expect(maskOf("1", "true", "abc").text("1 true abc")).toBe("1 true abc");
    const mask = new SecretMask({ evenCommon: true });
    for (const value of ["1", "true", "abc"]) mask.add(value);
    expect(mask.text("part 1 of 10 is true, abcd, abc.")).toBe("part *** of 10 is ***, abcd, ***.");
  });
});

describe("an address", () => {
  test.each([
    ["https://user:pass@host/path", "https://***@host/path"],
    ["see postgres://user:p@ss@db:5432/x", "see postgres://***@db:5432/x"],
    ["https://token@host", "https://***@host"],
    ["https%3A%2F%2Fuser%3Apass%40host", "https%3A%2F%2F***%40host"],
    ['{"url":"https:\\/\\/user:pass@host"}', '{"url":"https:\\/\\/***@host"}'],
  ])("%s shows neither user name nor password", (text, clean) => {
    expect(new SecretMask().text(text)).toBe(clean);
  });

  test.each([
    "https://host/@scope/name",
    "ssh://git@host/repo.git",
    "https://host?mail=a@b",
    '["https://host","a@b"]',
    "https://host and a@b",
  ])("%s holds none, and stays", (text) => {
    expect(new SecretMask().text(text)).toBe(text);
  });
});

test("any text without secrets stays as it is, escapes and all", () => {
  const pieces = fc.array(
    fc.oneof(fc.string(), fc.constantFrom("%41", "%zz", "%", "\\", "\\u00e9", "\\n", "%c3%a9", "%ff")),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      expect(maskOf("sk-0123456789-of-nobody").text(parts.join(""))).toBe(parts.join(""));
    }),
  );
});
