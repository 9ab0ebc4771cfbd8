import { latencyText } from "../../text/duration.ts";
import { timestamp } from "../state/database.ts";
import { escapeHtml } from "./html.ts";

/** A moment for a person, as HTML; all pages have this one form. A number is milliseconds since 1970. */
export function timeCell(moment: number | string): string {
  const time = typeof moment === "number" ? timestamp(moment) : moment;
  const [, day = time, clock = ""] = /^(.+)T(\d\d:\d\d:\d\d)/.exec(time) ?? [];
  const iso = escapeHtml(time);
  return `<time datetime="${iso}" title="${iso}">${escapeHtml(`${day} ${clock} UTC`)}</time>`;
}

/** How long it is from one time of the service to another, as text. */
export function spanText(start: string, end: string): string {
  return latencyText(Date.parse(end) - Date.parse(start));
}
