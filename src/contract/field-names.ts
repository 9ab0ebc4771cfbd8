import { quoted } from "../text/quoted.ts";
import { anyText, checkCall, objectWith } from "./call-arguments.ts";
import { GraphDeployError } from "./graph-deploy-error.ts";

/** A rename table that cannot be used; the message lists every fault. */
export class FieldNamesError extends GraphDeployError {
  readonly code = "FIELD_NAMES";
}

/**
 * Services spell some names with a brand in front. This table renames the keys of JSON objects at the border, both
 * ways and at every depth; values are left alone.
 */
export class FieldNames {
  readonly #toWire: ReadonlyMap<string, string>;
  readonly #fromWire: ReadonlyMap<string, string>;
  readonly #fromClient: ReadonlyMap<string, string | undefined>;

  private constructor(pairs: readonly (readonly [ours: string, theirs: string])[]) {
    this.#toWire = new Map(pairs);
    this.#fromWire = new Map(pairs.map(([ours, theirs]) => [theirs, ours]));
    this.#fromClient = new Map([...pairs.map(([ours]) => [ours, undefined] as const), ...this.#fromWire]);
  }

  static readonly none = new FieldNames([]);

  /** Reads pairs like `graph_config_path=acmegraph_config_path`, separated by commas or lines. */
  static parse(text: string): FieldNames {
    checkCall("FieldNames.parse", { text: [anyText, text] });
    const pairs: [string, string][] = [];
    const faults: string[] = [];
    for (const entry of text.split(/[,\n]/).map((part) => part.trim())) {
      if (entry === "") continue;
      const match = /^([A-Za-z_]\w*)\s*=\s*([A-Za-z_]\w*)$/.exec(entry);
      if (match?.[1] === undefined || match[2] === undefined)
        faults.push(`${quoted(entry)} is not a pair; write ours=theirs`);
      else pairs.push([match[1], match[2]]);
    }
    faults.push(...repeated(pairs.map(([ours]) => ours)).map((name) => `${quoted(name)} is renamed twice`));
    faults.push(...repeated(pairs.map(([, theirs]) => theirs)).map((name) => `two names become ${quoted(name)}`));
    if (faults.length > 0) throw new FieldNamesError(faults.join("; "));
    return new FieldNames(pairs);
  }

  /** A JSON value with our names, in the names of the service. */
  toWire(value: unknown): unknown {
    return this.#toWire.size === 0 ? value : rename(value, this.#toWire);
  }

  /** One of our names as the service spells it. */
  wireName(name: string): string {
    return this.#toWire.get(name) ?? name;
  }

  /** A JSON value of the service, in our names. */
  fromWire(value: unknown): unknown {
    return this.#fromWire.size === 0 ? value : rename(value, this.#fromWire);
  }

  /** What a client sent, in our names, as the service itself reads it: our spelling of a renamed name is unknown there. */
  fromClient(value: unknown): unknown {
    return this.#fromClient.size === 0 ? value : rename(value, this.#fromClient);
  }
}

/** The shape of such a table. */
export const fieldNamesShape = objectWith<FieldNames>(
  ["toWire", "wireName", "fromWire", "fromClient"],
  "a FieldNames, which FieldNames.parse returns",
);

/** Keys that become undefined are left out. */
function rename(value: unknown, names: ReadonlyMap<string, string | undefined>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => rename(item, names));
  if (value === null || typeof value !== "object") return value;
  // fromEntries defines own properties, so a key named __proto__ stays data.
  const renamed = Object.entries(value).flatMap(([key, item]) => {
    const name = names.has(key) ? names.get(key) : key;
    return name === undefined ? [] : [[name, rename(item, names)] as const];
  });
  return Object.fromEntries(renamed);
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
