import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { NO_JSON } from "../../../src/files/json/peek.ts";
import { storedFile } from "../formats/stored-file.ts";

test("the head is text without its mark, cut at a whole character", () => {
  expect(storedFile("\ufeffa,b\n")).toMatchObject({ text: "a,b\n", size: 7, json: NO_JSON });
  const long = `${"x".repeat(256 * 1024 - 1)}é`;
  expect(storedFile(long).text).toBe("x".repeat(256 * 1024 - 1));
});

test("what is not UTF-8 has no text, and UTF-16 is refused", () => {
  expect(storedFile(Buffer.from([0x61, 0xff, 0x62])).text).toBe("");
  expect(() => storedFile(Buffer.from("\ufeff{}", "utf16le"))).toThrow("UTF-16");
});

test("a file that begins as JSON does shows its keys", () => {
  expect(storedFile(' {"a":1}').json.topKeys).toEqual(["a"]);
  expect(storedFile("a,b").json).toBe(NO_JSON);
});

test("the digest is that of all bytes", () => {
  const content = "x".repeat(400_000);
  expect(storedFile(content).digest()).toBe(`sha256:${createHash("sha256").update(content).digest("hex")}`);
});
