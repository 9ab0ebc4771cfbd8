/** What can be wrong with a JSON text, without a full stop. */
export const FAULT = {
  noValue: "missing value",
  noJson: "this is not JSON",
  noComma: "missing comma between two values",
  noColon: "missing colon after a key",
  noKey: "missing key in double quotes",
  extraComma: "trailing comma",
  otherBracket: "unmatched closing bracket",
  openString: "unterminated string, as if the file were cut off",
  openBracket: "unclosed bracket, as if the file were cut off",
  cutOff: "the file ends in the middle of its JSON",
  empty: "the file is empty",
  more: "unexpected content after the end of the JSON",
  tooDeep: "brackets are nested more than 1,000 deep",
  twice: "duplicate key",
  badKey: "a key is not a valid JSON string",
  badString: "unescaped line break or control character in a string",
  badEscape: "invalid escape in a string",
  badNumber: "invalid number",
  badWord: "unquoted word (only true, false and null are allowed)",
  singleQuotes: "text in single quotes",
  zeroByte: "NUL byte in the text",
  notUtf8: "bytes that are not UTF-8",
  loneSurrogate: "an escape \\ud800 to \\udfff is half of a character without its other half",
} as const;

/** Where a JSON text breaks, and how; the reader that knows the file makes an error for users of it. */
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
