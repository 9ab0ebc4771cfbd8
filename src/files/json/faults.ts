/** What can be wrong with a JSON text, without a full stop. */
export const FAULT = {
  noValue: "a value is missing",
  noJson: "this is no JSON text",
  noComma: "a comma is missing between two values",
  noColon: "a colon is missing after a key",
  noKey: "a key in double quotes is missing",
  extraComma: "a comma has nothing behind it",
  otherBracket: "a closing bracket fits none that is open",
  openString: "a string begins here that has no end, as if the file were cut off",
  openBracket: "a bracket opens here that is never closed, as if the file were cut off",
  cutOff: "the file ends in the middle of its JSON text",
  empty: "the file is empty",
  more: "there is more behind the end of the JSON text",
  tooDeep: "brackets are nested more than 1,000 deep",
  twice: "a key stands twice in its object, and its values would shadow each other",
  badKey: "a key is no valid JSON string",
  badString: "a string holds a line break or another control character that is not escaped",
  badEscape: "a string holds a backslash that JSON does not know what to do with",
  badNumber: "a number is not written as JSON wants it",
  badWord: "a word without quotes is none of true, false and null",
  singleQuotes: "a text stands in single quotes",
  zeroByte: "there is a NUL byte, which no text holds",
  notUtf8: "there are bytes that are not UTF-8",
  loneSurrogate: "an escape \\ud800 to \\udfff stands for half of a character, and its other half is missing",
} as const;

/** Where a JSON text breaks, and how; whoever knows the file makes an error for users of it. */
export class JsonFault extends Error {
  /** In bytes from the beginning of the text. */
  readonly at: number;
  /** Without a full stop. */
  readonly fault: string;

  constructor(at: number, fault: string) {
    super(fault);
    this.at = at;
    this.fault = fault;
  }
}
