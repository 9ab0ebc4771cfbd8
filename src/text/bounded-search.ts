import { createContext, Script } from "node:vm";

/** A regular expression may backtrack for ever, and would block the process meanwhile. */
export const LONGEST_SEARCH_MILLISECONDS = 2_000;

/** What a search comes to; undefined if it throws, or runs out of time or memory. It must not wait for anything. */
export function boundedSearch<Found>(search: () => Found): { readonly found: Found } | undefined {
  let found: { readonly found: Found } | undefined;
  place.search = () => {
    found = { found: search() };
  };
  try {
    // The only way to stop a regular expression on the thread that runs it.
    SEARCH.runInContext(CONTEXT, { timeout: LONGEST_SEARCH_MILLISECONDS });
  } catch {
    return undefined;
  } finally {
    place.search = () => undefined;
  }
  return found;
}

// One for all: a new context takes five times as long as a search.
const place: { search: () => void } = { search: () => undefined };
const CONTEXT = createContext(place);
const SEARCH = new Script("search()");

/** The regular expression of `/PATTERN/flags`, with flags of `imsu`; undefined for any other text. */
export function patternIn(written: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/su.exec(written) ?? [];
  if (source === undefined) return undefined;
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
