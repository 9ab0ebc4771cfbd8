import { markup, joined, type Markup } from "./markup.ts";
import { link } from "./names.ts";

/** Which items a page shows, and of how many. */
export interface ShownPage {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** The position in a list and links to its other pages. `path` is the address of the list. */
export function pager(path: string, noun: string, { offset, limit, total }: ShownPage): Markup {
  if (total === 0) return markup`<p class="soft">No ${noun}.</p>`;
  const at = (start: number) => `${path}${path.includes("?") ? "&" : "?"}offset=${String(start)}`;
  // The offset of an old address may lie beyond the end.
  const last = Math.floor((total - 1) / limit) * limit;
  const items = `${String(offset + 1)} to ${String(Math.min(offset + limit, total))}`;
  const heading = noun.charAt(0).toUpperCase() + noun.slice(1);
  const position =
    offset < total ? `${heading} ${items} of ${String(total)}` : `No ${noun} here, ${String(total)} in all`;
  const parts = [
    markup`<span>${position}</span>`,
    offset > 0 && link(at(0), "first"),
    offset > 0 && link(at(Math.min(last, Math.max(0, offset - limit))), "previous"),
    offset + limit < total && link(at(offset + limit), "next"),
    offset < last && link(at(last), "last"),
  ];
  return markup`<nav aria-label="Pages of ${noun}">${joined(parts, " ")}</nav>`;
}
