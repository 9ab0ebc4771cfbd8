const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["apos", "'"],
  ["gt", ">"],
  ["lt", "<"],
  ["nbsp", " "],
  ["quot", '"'],
]);

/** The text of an element of HTML or XML: the escapes that servers use for their messages are undone. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return ENTITIES.get(name.toLowerCase()) ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code < 0x110000 ? String.fromCodePoint(code) : whole;
  });
}
