import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SecretMasker } from "./secret-masker.ts";

const masking = (...secrets: string[]) => {
  const masker = new SecretMasker();
  for (const secret of secrets) masker.add(secret);
  return (text: string) => masker.mask(text);
};

describe("the masker", () => {
  test("masks nothing before it knows something", () => {
    expect(masking()("key hunter2")).toBe("key hunter2");
  });

  test("masks each place", () => {
    expect(masking("hunter2")("hunter2, then hunter2!")).toBe("***, then ***!");
  });

  test("makes one mask of values that overlap or touch", () => {
    expect(masking("abcd", "cdef")("-abcdef-abcdabcd-")).toBe("-***-***-");
  });

  test("masks the lines of a value", () => {
    expect(masking("first\n  second  \r\nthird")("a second b third")).toBe("a *** b ***");
  });

  test("masks the encodings of a value", () => {
    const mask = masking('p&ss "word"');
    expect(mask(encodeURIComponent('p&ss "word"'))).toBe("***");
    expect(mask("p&amp;ss &quot;word&quot;")).toBe("***");
    expect(mask(JSON.stringify({ key: 'p&ss "word"' }))).toBe('{"key":"***"}');
    expect(mask(Buffer.from('user:p&ss "word"').toString("base64"))).not.toContain(
      Buffer.from('ss "word"').toString("base64"),
    );
  });

  test("leaves no value readable, whatever stands around it", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), fc.string(), fc.string(), (secret, before, after) => {
        fc.pre(!"***".includes(secret) && !`${before}***${after}`.includes(secret));
        expect(masking(secret)(before + secret + after)).not.toContain(secret);
      }),
    );
  });
});
