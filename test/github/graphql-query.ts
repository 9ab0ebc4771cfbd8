import { Refusal } from "./answer.ts";

/** A field that a query asks for. */
export interface Field {
  readonly name: string;
  readonly alias: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly fields: readonly Field[];
}

const TOKEN = /\s*(?:#[^\n]*\n\s*)*(?:,\s*)*([_A-Za-z]\w*|\$\w+|-?\d+|"(?:[^"\\]|\\.)*"|\.\.\.|[!(){}[\]:=@|])/y;

/** The fields of a query with its variables put in. Only what a query of fields needs: of fragments those within it, no directives. */
export function parseQuery(text: string, variables: Readonly<Record<string, unknown>>): readonly Field[] {
  const tokens = tokensOf(text);
  let at = 0;
  const peek = () => tokens[at] ?? "";
  const take = (expected?: string) => {
    const token = peek();
    if (token === "" || (expected !== undefined && token !== expected)) {
      throw new Refusal(
        400,
        `Parse error on ${JSON.stringify(token)}${expected === undefined ? "" : `, expected ${expected}`}`,
      );
    }
    at += 1;
    return token;
  };
  const value = (): unknown => {
    const token = take();
    if (token.startsWith("$")) {
      if (!declared.has(token)) throw new Refusal(400, `Variable ${token} is used but not declared`);
      return variables[token.slice(1)] ?? null;
    }
    return token === "null" ? null : JSON.parse(token);
  };
  const args = () => {
    const found: Record<string, unknown> = {};
    take("(");
    while (peek() !== ")") {
      const name = take();
      take(":");
      found[name] = value();
    }
    take(")");
    return found;
  };
  const selection = (): readonly Field[] => {
    const fields: Field[] = [];
    take("{");
    while (peek() !== "}") {
      const alias = take();
      // The fields of a fragment, whatever it is on: a list here has nodes of one kind.
      if (alias === "...") {
        take("on");
        take();
        fields.push(...selection());
        continue;
      }
      const name = peek() === ":" ? (take(":"), take()) : alias;
      fields.push({ name, alias, args: peek() === "(" ? args() : {}, fields: peek() === "{" ? selection() : [] });
    }
    take("}");
    return fields;
  };
  const declared = new Set<string>();
  if (peek() === "query") {
    while (take() !== "{") if (peek().startsWith("$")) declared.add(peek());
    at -= 1;
  }
  const fields = selection();
  if (at < tokens.length) throw new Refusal(400, `Parse error on ${JSON.stringify(peek())}`);
  for (const name of Object.keys(variables)) {
    if (!declared.has(`$${name}`)) throw new Refusal(400, `Variable $${name} is given but not declared`);
  }
  return fields;
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const trimmed = text.trimEnd();
  for (let end = 0; end < trimmed.length; end = TOKEN.lastIndex) {
    TOKEN.lastIndex = end;
    const [, token] = TOKEN.exec(trimmed) ?? [];
    if (token === undefined) throw new Refusal(400, `Parse error at ${JSON.stringify(trimmed.slice(end, end + 20))}`);
    tokens.push(token);
  }
  return tokens;
}
