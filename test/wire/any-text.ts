import fc from "fast-check";

/** Text of any UTF-16 code units: control characters, marks and halves of pairs too. */
export const anyText = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
