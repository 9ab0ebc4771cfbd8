import fc from "fast-check";
import { expect, test } from "vitest";
import { distinctSecrets, passwordsIn, proxyPasswords } from "../../../front/options/secrets.ts";

test.each([
  ["http://user:p%40ss@proxy.example:8080", ["p%40ss", "p@ss"]],
  ["user:secret@proxy", ["secret"]],
  ["http://token@proxy.example", ["token"]],
  ["http://user:a@b@proxy.example/path@x", ["a@b"]],
  ["http://user:%zz@proxy.example", ["%zz"]],
  ["http://us er:sec ret@pro xy/a", ["sec ret"]],
  ["http://proxy.example/a@b", []],
  ["", []],
])("the passwords in %j are %j", (address, passwords) => {
  expect(passwordsIn(address)).toEqual(passwords);
});

test("a password that a URL holds is found", () => {
  const word = fc.stringMatching(/^[A-Za-z0-9:@/?#[\]!$&]{1,20}$/);
  fc.assert(
    fc.property(word, (password) => {
      const url = new URL("http://proxy.example:8080");
      url.username = "user";
      url.password = password;
      expect(passwordsIn(url.href)).toContain(password);
    }),
  );
});

test("the variables of both spellings count, and blank values do not", () => {
  expect(proxyPasswords({ http_proxy: "http://a:b@c", HTTPS_PROXY: "http://d:e@f", NO_PROXY: "g:h@i" })).toEqual([
    "b",
    "e",
  ]);
  expect(distinctSecrets(["a", undefined, " ", "b", "a"])).toEqual(["a", "b"]);
});
