import { describeErrorBody } from "../contract/validation-error.ts";
import { parseJson } from "../text/json-text.ts";
import type { TransportAnswer } from "./transport.ts";

/** What is read of a response to find the reason in it. */
type Read = Pick<TransportAnswer, "body" | "headers">;

// A title and a reason stand near the beginning.
const MOST_BYTES = 64 * 1024;

/**
 * The reasons of a response that is not a success: the known fields of JSON, the title of a page, the `<Code>` and the
 * `<Message>` of an object store, or a line of text. Nothing else of the body is repeated: stores echo signed addresses
 * there, and pages are useless in a log. The texts are foreign, and may hold secrets.
 */
export function reasonsIn(answer: Read): readonly string[] {
  const json = jsonOf(answer.body);
  if (json !== undefined) return describeErrorBody(json);
  const text = beginningOf(answer.body);
  if (isHtml(answer)) return [pageTitle(answer)].filter((title) => title !== undefined);
  const type = answer.headers["content-type"] ?? "";
  if (text.trimStart().startsWith("<") || /^[^;]*\bxml\b/i.test(type)) return storeReason(text);
  // Agent servers send some errors as plain text, and gateways send text without a type. What begins as JSON is broken.
  const isText = /^text\/plain\b/i.test(type) || (/^(application\/json\b|$)/i.test(type) && isPrintable(text));
  return isText && !/^\s*[[{]/.test(text) ? [text] : [];
}

/** True for a page of HTML, by its type or by its first bytes: pages of proxies and of sign-ins also come as JSON. */
export function isHtml({ body, headers }: Read): boolean {
  if (/^(text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "")) return true;
  return /^\s*(<!--[^>]{0,1000}>\s*)?<(!doctype\s+html|html)\b/i.test(beginningOf(body));
}

/** The title of a page of HTML, on one line; undefined where it has none. It is foreign text, and may hold secrets. */
export function pageTitle({ body }: Pick<Read, "body">): string | undefined {
  const title = elementText(beginningOf(body), "title").replaceAll(/\s+/g, " ");
  return title === "" ? undefined : title;
}

function storeReason(xml: string): readonly string[] {
  const reason = [elementText(xml, "Code"), elementText(xml, "Message")].filter((text) => text !== "").join(": ");
  return reason === "" ? [] : [reason];
}

/** The text of the first element of this name; empty where there is none. */
function elementText(markup: string, name: string): string {
  const opening = new RegExp(`<${name}(?:\\s[^<>]{0,200})?>`, "i").exec(markup);
  if (opening === null) return "";
  const [text = ""] = markup.slice(opening.index + opening[0].length).split("<", 1);
  return unescapeMarkup(text).trim();
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["apos", "'"],
  ["gt", ">"],
  ["lt", "<"],
  ["nbsp", " "],
  ["quot", '"'],
]);

function unescapeMarkup(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return ENTITIES.get(name.toLowerCase()) ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code < 0x110000 ? String.fromCodePoint(code) : whole;
  });
}

function beginningOf(body: Buffer): string {
  // A character that is cut is left out.
  return new TextDecoder().decode(body.subarray(0, MOST_BYTES), { stream: true });
}

function isPrintable(text: string): boolean {
  return !/[\uFFFD\0]/.test(text);
}

function jsonOf(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
