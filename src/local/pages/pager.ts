import { link } from "./html.ts";

/** Which items a page shows, of how many. */
export interface ShownPage {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** Where in a list this page is, and the way to the other ones, as HTML. `path` is the page's address. */
export function pager(path: string, noun: string, { offset, limit, total }: ShownPage): string {
  if (total === 0) return `<p class="soft">There are no ${noun}.</p>`;
  const at = (start: number) => `${path}${path.includes("?") ? "&" : "?"}offset=${String(start)}`;
  // An address may be older than the list is short.
  const last = Math.floor((total - 1) / limit) * limit;
  const items = offset < total ? `${String(offset + 1)} to ${String(Math.min(offset + limit, total))}` : "none here";
  const parts = [
    `<span>${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${items} of ${String(total)}</span>`,
    offset > 0 ? link(at(0), "first") : "",
    offset > 0 ? link(at(Math.min(last, Math.max(0, offset - limit))), "previous") : "",
    offset + limit < total ? link(at(offset + limit), "next") : "",
    offset < last ? link(at(last), "last") : "",
  ];
  return `<nav aria-label="Pages of ${noun}">${parts.join(" ")}</nav>`;
}
