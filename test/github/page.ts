/** One page of a list, and the `link` to those beside it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly headers: Readonly<Record<string, string>>;
}

const DEFAULT_SIZE = 30;
const LARGEST_SIZE = 100;

const positive = (text: string | null, otherwise: number) => {
  const number = Number(text ?? otherwise);
  return Number.isInteger(number) && number > 0 ? number : otherwise;
};

/** The page that a query asks for; `address` is the URL of the list without its query. */
export function pageOf<Item>(all: readonly Item[], query: URLSearchParams, address: string): Page<Item> {
  const size = Math.min(positive(query.get("per_page"), DEFAULT_SIZE), LARGEST_SIZE);
  const page = positive(query.get("page"), 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (to: number, relation: string) => {
    const target = new URLSearchParams(query);
    target.set("page", String(to));
    return `<${address}?${target.toString()}>; rel="${relation}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, "prev")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
    ...(page > 1 ? [link(1, "first")] : []),
  ];
  return {
    items: all.slice((page - 1) * size, page * size),
    headers: links.length === 0 ? {} : { link: links.join(", ") },
  };
}
