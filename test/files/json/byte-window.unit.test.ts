import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteWindow, startOfBadLine } from "../../../src/files/json/byte-window.ts";
import { memoryBytes } from "../../../src/files/json/byte-source.ts";
import { FAULT } from "../../../src/files/json/faults.ts";

const windowOf = (content: string | Uint8Array, blockBytes = 5, maxKept = 1_000) =>
  new ByteWindow(memoryBytes("r.json", Buffer.from(content), blockBytes), maxKept);

/** All that a window shows, piece by piece. */
function readAll(window: ByteWindow): string {
  const pieces: string[] = [];
  do {
    pieces.push(window.bytes.toString("utf8", window.at, window.end));
    window.at = window.keep = window.end;
  } while (window.more());
  return pieces.join("");
}

const characters = fc.string({ unit: fc.constantFrom("a", "\n", "é", "日", "🙂", "\u{10ffff}"), maxLength: 60 });

test("a text comes in whole characters and without its mark, whatever the blocks are", () => {
  fc.assert(
    fc.property(characters, fc.integer({ min: 4, max: 20 }), (text, blockBytes) => {
      expect(readAll(windowOf(text, blockBytes))).toBe(text);
      expect(readAll(windowOf(`\ufeff${text}`, blockBytes))).toBe(text);
    }),
  );
});

test("what is held stays and is handed on once it is released", () => {
  const window = windowOf("abcdefghijklmnopqrst");
  window.at += 2;
  window.hold();
  while (window.offsetOf(window.end) < 12) window.more();
  window.at = window.end;
  const kept = window.kept().toString();
  expect("cdefghijklmnopqrst".startsWith(kept) && kept.length >= 10).toBe(true);
  const spilt: string[] = [];
  window.release((bytes) => spilt.push(bytes.toString()));
  readAll(window);
  expect(window.offsetOf(window.end)).toBe(20);
});

test("a value that is too large is refused where it begins", () => {
  const window = windowOf(`a\n${"x".repeat(100)}`, 5, 10);
  window.at += 2;
  window.hold();
  expect(() => {
    while (window.more());
  }).toThrow(/r\.json, line 2: one value has more than/);
});

test.each([
  ["a NUL", Buffer.from("a\nb\0c"), "line 2", FAULT.zeroByte],
  ["bytes that are not UTF-8", Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x63, 0x64, 0x65, 0x66]), "line 2", FAULT.notUtf8],
  ["half of a character at the end", Buffer.from([0x61, 0x62, 0xe2, 0x82]), "line 1", FAULT.notUtf8],
])("%s is refused with its line", (_what, bytes, line, fault) => {
  expect(() => readAll(windowOf(bytes))).toThrow(`r.json, ${line}: ${fault}`);
});

test("the first line that is not UTF-8 is found", () => {
  expect(startOfBadLine(Buffer.from([0x61, 0x0a, 0xc3, 0xa9, 0x0a, 0x62, 0xff]))).toBe(5);
});
