import { markup, type Content, type Markup } from "./markup.ts";
import { pager, type ShownPage } from "./pager.ts";

/** Which items of a list a page shows: those that fit a search, all where its text is empty. */
export interface ShownPart extends ShownPage {
  readonly search: string;
}

export interface ListRequest {
  /** The address of the list, with what else the page is asked for. */
  readonly path: string;
  readonly noun: string;
  readonly shown: ShownPart;
  readonly items: Content;
  /** The items are long, so that the way to the other pages also stands below them. */
  readonly areLong?: boolean;
  /** What stands instead of a list that has no items at all. */
  readonly none?: Content;
}

/** A list with its search and the way to its other pages. */
export function searchedList({ path, noun, shown, items, areLong = false, none }: ListRequest): Content {
  const { search, total } = shown;
  if (search === "" && total === 0) return none ?? markup`<p class="soft">No ${noun} yet.</p>`;
  const [address = "", query = ""] = path.split("?");
  const asked = new URLSearchParams(query);
  const form = searchForm(address, asked, noun, search);
  if (search !== "") asked.set("search", search);
  // Commas and the like stay as they are in the addresses that clients print.
  const found = search === "" ? path : `${address}?${asked.toString()}`;
  const turner = pager(found, noun, shown);
  return [form, turner, total > 0 && [items, areLong && turner]];
}

// Works without a script: the browser asks for the page again, from the first item on.
function searchForm(address: string, asked: URLSearchParams, noun: string, search: string): Markup {
  const kept = [...asked].map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`);
  return markup`<form role="search" action="${address}" method="get">${kept}
<label>Search ${noun} <input type="search" name="search" value="${search}"></label>
<button>Search</button>
</form>
`;
}
