import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isExact } from "../../../src/files/json/exact-number.ts";
import { FAULT } from "../../../src/files/json/faults.ts";
import { ExactNumber, NOT_A_NUMBER } from "../../../src/files/json/value.ts";
import { failureOf, parseStorableText, parseText, rewritten } from "./reading.ts";

describe("a value", () => {
  test("is what JSON.parse makes of it, and is written as JSON.stringify does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), fc.constantFrom(0, 1, 4), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseText(text)).toEqual(JSON.parse(text));
        expect(rewritten(text)).toBe(JSON.stringify(value));
      }),
    );
  });

  test("keeps a key __proto__ as any other key, and touches no prototype", () => {
    for (const text of [
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
      '{"__proto__":{"isAdmin":true},"a":12345678901234567890,"b":NaN}',
    ]) {
      const value = parseText(text);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value ?? {})[0]).toBe("__proto__");
      expect(value).not.toHaveProperty("isAdmin");
      expect(rewritten(text)).toBe(text.replace("NaN", "null"));
    }
    expect({}).not.toHaveProperty("isAdmin");
  });
});

describe("a number that a double cannot hold", () => {
  test.each([
    "9007199254740993",
    "-9007199254740993",
    "12345678901234567890",
    "0.12345678901234567890123",
    "1234567890.1234567890",
    "1e400",
    "-1.5E+999",
    "1e-400",
    "123456789012345678e-3",
    "3.00000000000000000000000001",
  ])("keeps its digits: %s", (number) => {
    expect(parseText(number)).toEqual(new ExactNumber(number));
    for (const text of [
      `[${number}]`,
      `{"a":${number},"b":"${number}"}`,
      `{"a":[1,${number},2]}`,
      `[0,\n${number}\n]`,
    ]) {
      expect(rewritten(text)).toBe(text.replaceAll("\n", ""));
    }
  });

  test.each([
    "0.30000000000000004",
    "9007199254740992",
    "1.0000000000000003e-05",
    "100000000000000000000",
    "0.0000000000000000e999",
    "-0.0",
    "1.50",
    "1e22",
  ])("is none of those that it holds: %s", (number) => {
    expect(parseText(number)).toBe(Number(number));
    expect(parseText(`[${number}]`)).toEqual([Number(number)]);
  });

  test("is distinguished by value from one that is held, whatever its digits", () => {
    const digits = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength, maxLength });
    const number = fc
      .tuple(fc.constantFrom("", "-"), digits(1, 20), digits(0, 20), fc.option(fc.integer({ min: -30, max: 30 })))
      .map(([sign, whole, fraction, exponent]) => {
        const integer = whole.replace(/^0+(?=\d)/, "");
        return sign + integer + (fraction === "" ? "" : `.${fraction}`) + (exponent === null ? "" : `e${exponent}`);
      });
    fc.assert(
      fc.property(number, (text) => {
        const isHeld = rational(text) === rational(String(Number(text)));
        expect(isExact(text)).toBe(isHeld);
        // A JSON text of it finds the same, at each place that it can have in a row of bytes.
        for (const before of ["", "[", "[ ", "[1,", "[12, "]) {
          const value = parseText(before === "" ? text : `${before}${text}]`);
          const last: unknown = Array.isArray(value) ? value.at(-1) : value;
          expect(last instanceof ExactNumber).toBe(!isHeld);
        }
      }),
    );
  });

  /** A number in units of 1e-100: of this size none has digits below. */
  function rational(text: string): bigint {
    const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    return (
      BigInt(whole.replace(/^-?$/, "0") + fraction || "0") * 10n ** BigInt(100 + Number(exponent) - fraction.length)
    );
  }

  test("has a nearest double", () => {
    expect(new ExactNumber("18446744073709551617").value).toBe(2 ** 64);
    expect(new ExactNumber("1e400").value).toBe(Infinity);
  });
});

describe("NaN and Infinity without quotes", () => {
  test("become a mark that is written as null", () => {
    expect(parseText('{"a":NaN,"b":[Infinity,-Infinity, NaN],"c":0e0}')).toEqual({
      a: NOT_A_NUMBER,
      b: [NOT_A_NUMBER, NOT_A_NUMBER, NOT_A_NUMBER],
      c: 0,
    });
    expect(parseText("NaN")).toBe(NOT_A_NUMBER);
    expect(rewritten('{"a":NaN}')).toBe('{"a":null}');
  });

  test("are distinguished from each way to write 0", { tags: "slow" }, () => {
    for (const zeros of [1, 2, 3, 4, 7, 8, 9, 100_000]) {
      const zero = `0e${"0".repeat(zeros)}`;
      expect(parseText(`[NaN,${zero},-${zero},"${zero}"]`)).toEqual([NOT_A_NUMBER, 0, -0, zero]);
    }
  });

  test("stay text inside of strings, whatever is escaped there", () => {
    const strings = fc.array(fc.string({ unit: fc.constantFrom("NaN", '"', "\\", ",", "-Infinity", "é", ":") }));
    fc.assert(
      fc.property(strings, (texts) => {
        const list = texts.map((each) => JSON.stringify(each));
        expect(parseText(`[NaN,${[...list, "-Infinity"].join(", NaN ,")}]`)).toEqual([
          NOT_A_NUMBER,
          ...texts.flatMap((each) => [each, NOT_A_NUMBER]),
          NOT_A_NUMBER,
        ]);
      }),
    );
  });

  test.each(["nan", "-NaN", "+Infinity", "NaNs", "1NaN", "Infinity1", "[NaN NaN]", "{NaN:1}"])(
    "are nothing else: %s",
    (text) => {
      expect(failureOf(() => parseText(text))).toMatchObject({ code: "DATA_FILE" });
    },
  );
});

describe("what is wrong with a value", () => {
  test.each([
    ["", FAULT.noValue],
    ["{\n'secret':1}", FAULT.noKey],
    ["{\"a\":\n'secret'}", FAULT.singleQuotes],
    ['{"a":\nsecret}', FAULT.badWord],
    ['{"a":\nNone}', FAULT.badWord],
    ['{"a":\n+1}', FAULT.badNumber],
    ['{"a":\n01}', FAULT.badNumber],
    ['{"a":\n.5}', FAULT.badNumber],
    ['{"a":\n1.}', FAULT.badNumber],
    ['["a",\n"secret\tb"]', FAULT.badString],
    ['["a",\n"secret\\x"]', FAULT.badEscape],
    ['["a"\n"secret"]', FAULT.noComma],
    ['{"a":1,\n}', FAULT.extraComma],
    ['{"a"\n1}', FAULT.noColon],
    ['{"a":[1,\n2}', FAULT.otherBracket],
    ['{"a":\n"secret', FAULT.openString],
    ['{"a":1\n', FAULT.cutOff],
    ['{"a":1}\nsecret', FAULT.more],
    [`\n${"[".repeat(1_001)}${"]".repeat(1_001)}`, FAULT.tooDeep],
    [`\n${'{"a":'.repeat(100_000)}`, FAULT.tooDeep],
  ])("is reported with its line and without what stands there: %j", (text, fault) => {
    const error = failureOf(() => parseText(text));
    const line = text === "" ? 1 : 2;
    expect(error).toMatchObject({ message: `results.json, line ${line}: ${fault}.`, code: "DATA_FILE" });
    expect(JSON.stringify(error)).not.toContain("secret");
    expect(error).not.toHaveProperty("cause");
  });

  test.each([
    ['["\\ud83d\\ude00",\n"secret\\ud83d"]'],
    ['{"a":1,\n"\\uDE00":2}'],
    ['["\\\\ud83d",\n"\\ud83d\\\\\\ude00"]'],
    ['["\\\\ud83d",\n"\\\\ud83d\\ude00"]'],
  ])("is half of a character only for who sends the value as it is: %j", (text) => {
    expect(parseText(text)).toEqual(JSON.parse(text));
    const error = failureOf(() => parseStorableText(text));
    expect(error).toMatchObject({ message: `results.json, line 2: ${FAULT.loneSurrogate}.`, code: "DATA_FILE" });
    expect(JSON.stringify(error)).not.toContain("secret");
  });

  test("is reported by name for bytes that are not UTF-8", () => {
    expect(failureOf(() => parseText(Buffer.from('"\xff"', "latin1")))).toMatchObject({ fault: FAULT.notUtf8 });
  });

  test("is not that a pair of surrogates is escaped, or a backslash before what looks like one", () => {
    expect(parseText('"\\ud83d\\uDE00"')).toBe("😀");
    expect(parseText('"\\\\ud83d"')).toBe("\\ud83d");
  });

  test("is not that there are many brackets, but only that there are many open", () => {
    for (const text of [`[${"[],".repeat(5_000)}{}]`, `${"[".repeat(1_000)}${"]".repeat(1_000)}`]) {
      expect(rewritten(text)).toBe(text);
    }
  });

  test("is half of a surrogate pair wherever the text of a string has one", () => {
    const escapes = fc.constantFrom(
      "\\\\",
      "\\ud83d",
      "\\uD83D",
      "\\ude00",
      "\\uDE00",
      "ud83d",
      "\\n",
      "a",
      "😀",
      "\\u0000",
    );
    fc.assert(
      fc.property(fc.array(escapes, { maxLength: 8 }), (parts) => {
        const text = `"${parts.join("")}"`;
        const value = String(JSON.parse(text));
        expect(parseText(text)).toBe(value);
        if (value.isWellFormed()) expect(parseStorableText(text)).toBe(value);
        else expect(failureOf(() => parseStorableText(text))).toMatchObject({ fault: FAULT.loneSurrogate });
      }),
    );
  });

  test("is found wherever JSON.parse finds something", () => {
    const damage = fc.record({
      at: fc.nat(),
      remove: fc.integer({ min: 0, max: 2 }),
      insert: fc.constantFrom("", '"', "\\", "{", "}", "[", "]", ",", ":", "1", "-", ".", "\n", "\u0001", "t", "é"),
    });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), damage, (value, { at, remove, insert }) => {
        const whole = JSON.stringify(value);
        const from = at % whole.length;
        const text = whole.slice(0, from) + insert + whole.slice(from + remove);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          const error = failureOf(() => parseText(text));
          expect(error).toMatchObject({ code: "DATA_FILE" });
          return;
        }
        // JSON.parse once more, for a number that became too large for it.
        expect(JSON.stringify(JSON.parse(rewritten(text)))).toBe(JSON.stringify(expected));
      }),
    );
  });
});
