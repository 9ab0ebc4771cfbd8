import { describeErrorBody } from "../contract/validation-error.ts";
import { unescapeHtml } from "../text/html.ts";
import { jsonOrUndefined } from "../text/json-text.ts";
import type { TransportAnswer } from "./transport.ts";

type Read = Pick<TransportAnswer, "body" | "headers">;

// A reason stands near the beginning.
const MOST_BYTES = 64 * 1024;

/**
 * The reasons of a response that is not a success: the known fields of JSON, the title of a page, the `<Code>` and the
 * `<Message>` of an object store, or a line of text. Nothing else of the body is repeated: stores echo signed addresses
 * there, and pages are useless in a log. The texts are foreign, and may hold secrets.
 */
export function reasonsIn(answer: Read): readonly string[] {
  // The decoder drops a byte order mark.
  const json = jsonOrUndefined(new TextDecoder().decode(answer.body));
  if (json !== undefined) return describeErrorBody(json);
  const page = webPageOf(answer);
  if (page) return page.title === "" ? [] : [page.title];
  // A character that is cut is left out.
  const text = new TextDecoder().decode(answer.body.subarray(0, MOST_BYTES), { stream: true });
  const type = answer.headers["content-type"] ?? "";
  if (text.trimStart().startsWith("<") || /^[^;]*\bxml\b/i.test(type)) {
    const reason = [elementText(text, "Code"), elementText(text, "Message")].filter((part) => part !== "").join(": ");
    return reason === "" ? [] : [reason];
  }
  // Agent servers send some errors as plain text, and gateways send text without a type. What begins as JSON is broken.
  const isText = /^text\/plain\b/i.test(type) || (/^(application\/json\b|$)/i.test(type) && !/[\uFFFD\0]/.test(text));
  return isText && !/^\s*[[{]/.test(text) ? [text] : [];
}

/** The text of the first element of this name; empty where there is none. */
function elementText(xml: string, name: string): string {
  const begins = xml.indexOf(`<${name}>`);
  if (begins === -1) return "";
  const [text = ""] = xml.slice(begins + name.length + 2).split("<", 1);
  return unescapeHtml(text).trim();
}

// The title stands in the head of a page; what comes later is not worth a search.
const SEARCHED_BYTES = 16_384;
const MOST_OF_TITLE = 120;

/**
 * The page that a response is, by its type or by its first bytes; undefined for any other response, also for an empty
 * one: Google's object store calls its empty responses text/html.
 */
export function webPageOf({ headers, body }: Pick<TransportAnswer, "body" | "headers">) {
  if (body.length === 0) return undefined;
  const text = body.toString("utf8", 0, SEARCHED_BYTES).replace(/^\uFEFF/, "");
  const isTyped = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "");
  if (!isTyped && !/^\s*(?:<!--|<!doctype\s+html|<html|<head|<body)/i.test(text)) return undefined;
  return { title: titleOf(text) };
}

// By position and not by one pattern: a pattern over foreign text may take time that grows with its square.
function titleOf(text: string): string {
  const lower = text.toLowerCase();
  const opens = lower.indexOf("<title");
  const begins = opens === -1 ? -1 : lower.indexOf(">", opens);
  if (begins === -1) return "";
  const ends = lower.indexOf("</title", begins);
  const inside = text.slice(begins + 1, ends === -1 ? undefined : ends);
  const title = unescapeHtml(inside).replace(/[\s\p{Cc}]+/gu, " ");
  return title.trim().slice(0, MOST_OF_TITLE).toWellFormed();
}
