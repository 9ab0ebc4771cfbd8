import { nameList } from "../../text/quoted.ts";

/** Warnings about a source that is packed nevertheless. */
const SENTENCES = {
  "allowed-secret": (names) => `Packed with the credentials in them, as allowed: ${names}.`,
  "dangling-link": (names) => `Links whose target is not in the archive: ${names}.`,
  "included-secret": (names) => `Included in the archive although the name looks like that of a secret: ${names}.`,
  "linked-ignore-file": (names) => `Ignore files that are links are not followed, as in git: ${names}.`,
  "name-twin": (names) =>
    `Names that differ only in case or Unicode form, of which macOS and Windows keep one: ${names}.`,
  "special-file": (names) => `Left out because they are not a file, directory or link: ${names}.`,
  unsearched: (names) => `Not searched for credentials because they are too large: ${names}.`,
} as const satisfies Readonly<Record<string, (names: string) => string>>;
type WarningKind = keyof typeof SENTENCES;

/** Gathers warnings into one sentence for each kind: a run has ten annotations. */
export class Warnings {
  readonly #names = new Map<WarningKind, Set<string>>();

  add(kind: WarningKind, name: string): void {
    const names = this.#names.get(kind) ?? new Set();
    names.add(name);
    this.#names.set(kind, names);
  }

  addAll(others: Warnings): void {
    for (const [kind, names] of others.#names) for (const name of names) this.add(kind, name);
  }

  sentences(): readonly string[] {
    return [...this.#names].map(([kind, names]) => SENTENCES[kind](nameList([...names].sort()))).toSorted();
  }
}
