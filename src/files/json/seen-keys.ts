import type { JsonVisitor } from "./scan.ts";

/** The keys that a scan meets, by the keys that lead to them; lists are passed through. */
export class SeenKeys implements JsonVisitor {
  /** True once there was a key, or a list or an object in a list. */
  areSome = false;
  readonly #top = new KeyNode();
  /** Where the values of the open brackets belong. */
  readonly #open: KeyNode[] = [];
  /** Where the next value belongs. */
  #here = this.#top;

  /** The keys of the objects to which a path of keys leads, in the order of their first sight. */
  at(path: readonly string[]): readonly string[] {
    let node: KeyNode | undefined = this.#top;
    for (const key of path) node = node?.get(key);
    return [...(node?.keys() ?? [])];
  }

  readonly opens = (): void => {
    this.areSome ||= this.#open.length > 0;
    this.#open.push(this.#here);
  };

  readonly closes = (): void => {
    this.#open.pop();
    this.#here = this.#open.at(-1) ?? this.#top;
  };

  readonly key = (key: string): void => {
    this.areSome = true;
    const parent = this.#open.at(-1) ?? this.#top;
    const child = parent.get(key) ?? new KeyNode();
    parent.set(key, child);
    this.#here = child;
  };
}

class KeyNode extends Map<string, KeyNode> {}
