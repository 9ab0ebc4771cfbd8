/** JSON kept as text: parsing and writing it again could change its numbers, and fails on deep nesting. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value as JSON; raw parts are written unchanged. */
export function writeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${JSON.stringify(key)}:${writeJson(item)}`],
  );
  return `{${members.join(",")}}`;
}

/** The text of each member of an object, which must be valid JSON. Of several members with one name the last counts. */
export function membersOf(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const parts = elementsOf(text);
  for (let index = 0; index + 1 < parts.length; index += 2) {
    members.set(String(JSON.parse(parts[index] ?? '""')), parts[index + 1] ?? "null");
  }
  return members;
}

/** The members of a JSON object; empty for any other JSON value. */
export function membersIn(json: string | null | undefined): ReadonlyMap<string, string> {
  return json?.startsWith("{") === true ? membersOf(json) : new Map<string, string>();
}

/** The other members as a JSON object; undefined if there are none. */
export function without(members: ReadonlyMap<string, string>, excluded: ReadonlySet<string>): string | undefined {
  const rest = [...members].filter(([name]) => !excluded.has(name));
  if (rest.length === 0) return undefined;
  return writeJson(Object.fromEntries(rest.map(([name, json]) => [name, new RawJson(json)])));
}

/** The texts between the commas and colons of the outermost object or list, which must be valid JSON. */
export function elementsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  const end = (at: number) => {
    const part = text.slice(from, at).trim();
    if (part !== "") parts.push(part);
    from = at + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '"':
        // To the closing quote.
        at += 1;
        while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
        break;
      case "{":
      case "[":
        depth += 1;
        if (depth === 1) from = at + 1;
        break;
      case "}":
      case "]":
        if (depth === 1) end(at);
        depth -= 1;
        break;
      case ",":
      case ":":
        if (depth === 1) end(at);
        break;
    }
  }
  return parts;
}
