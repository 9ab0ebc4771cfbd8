import { canonicalJson } from "../text/canonical-json.ts";

/** A value of a final state, and what the input has in its place. */
interface Pair {
  readonly value: unknown;
  readonly given: unknown;
  /** True for an element of a list: a server gives such a one an id. */
  readonly isElement?: boolean;
}

/**
 * Whether a final state holds anything that the input does not. Fields that are null, and texts, lists and objects that
 * are empty, are nothing: servers send a state with all its fields. A message of the input is nothing new either, in
 * whatever form the server writes it; an equal one that it has more often than the input is. Linear in both, and without recursion, because a state may be nested deeper than
 * the stack.
 */
export function holdsMoreThan(input: unknown, state: unknown): boolean {
  const open: Pair[] = [{ value: state, given: input }];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const { value, given } = pair;
    if (value == null || value === "") continue;
    if (typeof value !== "object") {
      if (value !== given) return true;
    } else for (const part of Array.isArray(value) ? elementsOf(value, given) : fieldsOf(value, pair)) open.push(part);
  }
  return false;
}

/** Whether a list of a final state, as of messages, holds anything behind the last message of the input. */
export function holdsBehind(input: unknown, state: unknown): boolean {
  if (typeof input !== "object" || input === null) return false;
  return Object.entries(input).some(([key, given]: [string, unknown]) => {
    const list = ownOf(state, key);
    const last = messageText(Array.isArray(given) ? given.at(-1) : given);
    if (!Array.isArray(list) || last === undefined) return false;
    const at = list.findLastIndex((element) => messageText(element) === last);
    return at >= 0 && holdsMoreThan([], list.slice(at + 1));
  });
}

function elementsOf(value: readonly unknown[], given: unknown): readonly Pair[] {
  // Chat graphs take one message, or a text, for a list of it.
  const known: readonly unknown[] = Array.isArray(given) ? given : [given];
  const said = new Map<string | undefined, number>();
  for (const text of known.map(messageText)) said.set(text, (said.get(text) ?? 0) + 1);
  return value.flatMap((element, index): Pair | readonly Pair[] => {
    const text =
      ownOf(element, "content") !== undefined && roleOf(element) !== undefined ? messageText(element) : undefined;
    if (text === undefined) return { value: element, given: known[index], isElement: true };
    // An agent may well answer what was said before.
    const left = said.get(text) ?? 0;
    if (left === 0) {
      // What of a message is said: its role alone, and what the model's server reports of itself, is no answer.
      const content = contentOf(ownOf(element, "content"));
      const parts = [content, ownOf(element, "tool_calls"), ownOf(element, "additional_kwargs")];
      return parts.map((value): Pair => ({ value, given: undefined }));
    }
    said.set(text, left - 1);
    return [];
  });
}

function fieldsOf(value: object, { given, isElement = false }: Pair): readonly Pair[] {
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    const before = ownOf(given, key);
    return isElement && key === "id" && before === undefined ? [] : { value: part, given: before };
  });
}

// The public servers write a message that was sent with a role with a type.
const ROLES: ReadonlyMap<unknown, string> = new Map([
  ["user", "human"],
  ["assistant", "ai"],
]);

function roleOf(message: unknown): string | undefined {
  const role = ownOf(message, "type") ?? ownOf(message, "role");
  return typeof role === "string" ? (ROLES.get(role) ?? role) : undefined;
}

/** Who says what, as text: equal for each form of a message. Undefined for what is none. */
function messageText(message: unknown): string | undefined {
  if (typeof message === "string") return textOf("human", message);
  if (Array.isArray(message)) {
    const pair: readonly unknown[] = message;
    const [role, content] = pair;
    if (typeof role !== "string" || pair.length !== 2) return undefined;
    return textOf(ROLES.get(role) ?? role, content);
  }
  const role = roleOf(message);
  return role === undefined ? undefined : textOf(role, ownOf(message, "content"));
}

function textOf(role: string, content: unknown): string | undefined {
  try {
    return canonicalJson([role, contentOf(content)]);
  } catch {
    // Too deep to be written, and so no message that somebody sent.
    return undefined;
  }
}

/** The text of content that is nothing but text, in one part or several. */
function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const texts = content.map((part: unknown) => (typeof part === "string" ? part : ownOf(part, "text")));
  return texts.every((text) => typeof text === "string") ? texts.join("") : content;
}

/** A field of what may be an object; undefined where there is none. */
export function ownOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}
