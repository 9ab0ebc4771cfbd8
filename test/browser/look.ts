import { expect } from "vitest";
import type { LocalService } from "../../src/local/index.ts";
import { ELSEWHERE, type Browser } from "./browser.ts";

/** Opens a page of the service, and checks that nothing of the foreign text acted. */
export async function look(browser: Browser, service: LocalService, url: string, title: RegExp): Promise<string> {
  const before = service.requests.length;
  const html = await browser.open(url);
  expect(/<title>(.*?)<\/title>/s.exec(html)?.[1]).toMatch(title);
  expect(html).toMatch(/^<!DOCTYPE html>\s*<html lang="en">/i);
  // What a browser makes of text has no such element and no such attribute.
  expect(html).not.toMatch(/<(?:script|img|svg|iframe|link|base|object|embed)\b/i);
  const withoutValues = html.replace(/="[^"]*"/g, "=");
  expect(withoutValues.match(/<[^<>]*\s(?:on\w+|autofocus)=/g) ?? []).toEqual([]);
  expect([...html.matchAll(/<form\b[^>]*>/g)].map(([form]) => form).join()).not.toContain(ELSEWHERE);
  expect(browser.strayed).toEqual([]);
  expect(service.requests.slice(before).map(({ path }) => service.url + path)).toEqual([url.split(/[?#]/)[0]]);
  return html;
}
