import type { DynamicHost } from "./dynamic-host.ts";
import { HostError } from "./host-error.ts";
import { changedKeys, ignoringChanges, markedLike, plain, withSecretKeys } from "./property-values.ts";
import type { Properties } from "./property-values.ts";
import type { ResourceState } from "./resource-state.ts";

/** What create and update leave behind; `failure` when the object is there, but not in order. */
export interface Outcome {
  readonly id: string;
  readonly outputs: Properties;
  readonly initErrors: readonly string[];
  readonly failure?: HostError;
}

/** What a diff means to the engine. */
export interface EngineDiff {
  readonly changes: boolean;
  /** Filled only when the engine had to compare by itself. */
  readonly keys: readonly string[];
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** What a check says of the inputs of a resource. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

/** What a read found; an empty `id`: nothing. `inputs` only when the provider returned them. */
export interface Read {
  readonly id: string;
  readonly outputs: Properties;
  readonly inputs: Properties | undefined;
}

/** A provider as the engine uses it. */
export interface ProviderCalls {
  check(resource: ResourceState, olds: Properties, news: Properties): Promise<Checked>;
  /** `ignored`: what the provider was not told to ignore, but the engine's own comparison does. */
  diff(old: ResourceState, news: Properties, ignored?: readonly string[]): Promise<EngineDiff>;
  create(next: ResourceState): Promise<Outcome>;
  update(old: ResourceState, next: ResourceState): Promise<Outcome>;
  /** `properties` are what the provider is given, and the model for the marks of what it returns. */
  read(resource: ResourceState, properties: Properties): Promise<Read>;
  delete(old: ResourceState): Promise<void>;
}

/**
 * A dynamic provider. Its host does not accept secrets: they go in plain, and what comes back is marked by the names it
 * has in common with what went in.
 */
export class DynamicCalls implements ProviderCalls {
  readonly #host: DynamicHost;
  readonly #preview: boolean;

  constructor(host: DynamicHost, preview: boolean) {
    this.#host = host;
    this.#preview = preview;
  }

  async check(_resource: ResourceState, olds: Properties, news: Properties) {
    const { inputs, failures } = await this.#host.check(plain(olds), plain(news));
    return { inputs: markedLike(inputs, news), failures };
  }

  async diff(old: ResourceState, news: Properties, ignored: readonly string[] = []): Promise<EngineDiff> {
    const diff = await this.#host.diff(old.id, plain(old.outputs), plain(news));
    const { replaces, deleteBeforeReplace } = diff;
    if (diff.changes !== "unknown")
      return { changes: diff.changes === "some", keys: [], replaces, deleteBeforeReplace };
    const keys = changedKeys(old.inputs, ignoringChanges(news, old.inputs, ignored));
    return { changes: keys.length > 0, keys, replaces, deleteBeforeReplace };
  }

  async create({ inputs }: ResourceState): Promise<Outcome> {
    // A host that cannot preview is not asked: the inputs stand for the outputs, the program takes the rest as unknown.
    if (this.#preview) return { id: "", outputs: inputs, initErrors: [] };
    const outcome = await settle(() => this.#host.create(plain(inputs)));
    if (outcome.id === "") throw new Error("The provider returned no id from create.");
    return { ...outcome, outputs: markedLike(outcome.outputs, inputs) };
  }

  async update(old: ResourceState, { inputs }: ResourceState): Promise<Outcome> {
    if (this.#preview) return { id: old.id, outputs: inputs, initErrors: [] };
    const outcome = await settle(async () => ({
      id: old.id,
      ...(await this.#host.update(old.id, plain(old.outputs), plain(inputs))),
    }));
    return { ...outcome, id: old.id, outputs: markedLike(outcome.outputs, inputs) };
  }

  async read({ id, inputs }: ResourceState, properties: Properties) {
    const read = await this.#host.read(id, plain(properties));
    return {
      id: read.id,
      outputs: markedLike(read.outputs, properties),
      inputs: read.inputs === undefined ? undefined : markedLike(read.inputs, inputs),
    };
  }

  async delete(old: ResourceState): Promise<void> {
    if (!this.#preview) await this.#host.delete(old.id, plain(old.outputs));
  }
}

/** The outputs with the marks that the resource's options and its own secret inputs ask for. */
export function secretOutputs(resource: ResourceState, outputs: Properties): Properties {
  return markedLike(withSecretKeys(outputs, resource.additionalSecretOutputs), resource.inputs);
}

/** Waits for a create or an update; a partial failure is an outcome. */
export async function settle(
  act: () => Promise<{ readonly id: string; readonly outputs: Properties }>,
): Promise<Outcome> {
  try {
    return { ...(await act()), initErrors: [] };
  } catch (error) {
    if (!(error instanceof HostError) || error.partial === undefined) throw error;
    const { id, properties, reasons } = error.partial;
    return { id, outputs: properties, initErrors: reasons, failure: error };
  }
}
