import { unescapeHtml } from "../text/html.ts";
import type { TransportAnswer } from "./transport.ts";

// The title stands in the head of a page; what comes later is not worth a search.
const SEARCHED_BYTES = 16_384;
const MOST_OF_TITLE = 120;

/** A page for people in place of the response of an API: a login, a portal, the error of a proxy. */
export interface WebPage {
  /** Foreign; empty for a page without one. */
  readonly title: string;
}

/**
 * The page that a response is, by its type or by its first bytes; undefined for any other response, also for an empty
 * one: Google's object store calls its empty responses text/html.
 */
export function webPageOf({ headers, body }: Pick<TransportAnswer, "body" | "headers">): WebPage | undefined {
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
