// What a person reads on a page of the local service, taken from its HTML by a few patterns: enough for pages that hold
// no foreign markup. The browser tier looks at the same pages with a browser.

/** How a browser writes what it escapes. */
const NAMED = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", "\u00a0"],
  ["amp", "&"],
]);

/** The text of some HTML, with single blanks. */
export function textOf(html: string): string {
  return html
    .replace(/<style>.*?<\/style>|<wbr>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string | undefined) =>
      code === undefined ? (NAMED.get(name ?? "") ?? whole) : String.fromCharCode(Number(code)),
    )
    .replace(/\s+/g, " ")
    .trim();
}

/** The cells of the table line that names something. */
export function lineOf(html: string, name = ""): readonly string[] {
  const line = html.split("<tr>").find((part) => part.includes(name)) ?? "";
  return [...line.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => textOf(cell));
}

/** The facts of a page: what stands under which name. */
export function factsOf(html: string): Readonly<Record<string, string>> {
  return termsOf(/<dl class="facts">(.*?)<\/dl>/s.exec(html)?.[1] ?? "");
}

function termsOf(html: string): Readonly<Record<string, string>> {
  const terms = html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs);
  return Object.fromEntries([...terms].map(([, name = "", value = ""]) => [textOf(name), textOf(value)]));
}

/** One row as a page shows it. */
export interface Card {
  readonly anchor: string;
  readonly verdict: string;
  readonly head: string;
  readonly scores: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
}

/** The rows of a page, from the top. */
export function cardsOf(html: string): readonly Card[] {
  return [...html.matchAll(/<article class="([^"]*)" id="([^"]*)">(.*?)<\/article>/gs)].map(
    ([, verdict = "", anchor = "", inside = ""]) => ({
      anchor,
      verdict,
      head: textOf(/<header>(.*?)<\/header>/s.exec(inside)?.[1] ?? ""),
      scores: [...inside.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, score = ""]) => textOf(score)),
      fields: termsOf(inside),
    }),
  );
}

/** Where a link leads. */
export function linkIn(html: string, name: string): string {
  const found = [...html.matchAll(/<a href="([^"]+)"[^>]*>(.*?)<\/a>/gs)].find(
    ([, , text = ""]) => textOf(text) === name,
  );
  return found?.[1]?.replace(/&(?:#38|amp);/g, "&") ?? `no link to ${name}`;
}
