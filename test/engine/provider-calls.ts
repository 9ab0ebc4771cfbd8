import { HostError } from "./host-error.ts";
import { changedKeys, ignoringChanges, markedLike, plain } from "./property-values.ts";
import type { Properties } from "./property-values.ts";
import type { ProviderProcess } from "./provider-process.ts";
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
  readonly keys: readonly string[];
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** How a provider is called. */
interface Manner {
  readonly preview: boolean;
  /**
   * A plugin accepts secrets, previews, and says which properties differ. The host of dynamic providers does not: secrets
   * go to it in plain, and what comes back is marked by the names that it has in common with what went in.
   */
  readonly isPlugin: boolean;
}

/** A provider as the engine uses it. */
export class ProviderCalls {
  readonly #provider: ProviderProcess;
  readonly #preview: boolean;
  readonly #isPlugin: boolean;

  constructor(provider: ProviderProcess, { preview, isPlugin }: Manner) {
    this.#provider = provider;
    this.#preview = preview;
    this.#isPlugin = isPlugin;
  }

  async check(resource: ResourceState, olds: Properties, news: Properties) {
    const { inputs, failures } = await this.#provider.of(resource).check(this.#sent(olds), this.#sent(news));
    return { inputs: this.#marked(inputs, news), failures };
  }

  /** `ignored`: what the provider was not told to ignore, but the engine's own comparison does. */
  async diff(old: ResourceState, news: Properties, ignored: readonly string[] = []): Promise<EngineDiff> {
    const diff = await this.#provider.of(old).diff(old.id, this.#sent(old.outputs), this.#sent(news));
    const { changes, detail, replaces, deleteBeforeReplace } = diff;
    if (changes !== "unknown" || this.#isPlugin) {
      return { changes: changes === "some", keys: Object.keys(detail), replaces, deleteBeforeReplace };
    }
    const keys = changedKeys(old.inputs, ignoringChanges(news, old.inputs, ignored));
    return { changes: keys.length > 0, keys, replaces, deleteBeforeReplace };
  }

  async create(next: ResourceState): Promise<Outcome> {
    // A host that cannot preview is not asked: the inputs stand for the outputs, the program takes the rest as unknown.
    if (this.#preview && !this.#isPlugin) return { id: "", outputs: next.inputs, initErrors: [] };
    const options = { preview: this.#preview, timeoutSeconds: next.timeouts.create };
    const outcome = await settle(() => this.#provider.of(next).create(this.#sent(next.inputs), options));
    if (!this.#preview && outcome.id === "") throw new Error("The provider returned no id from create.");
    return { ...outcome, outputs: this.#marked(outcome.outputs, next.inputs) };
  }

  async update(old: ResourceState, next: ResourceState): Promise<Outcome> {
    const { id } = old;
    if (this.#preview && !this.#isPlugin) return { id, outputs: next.inputs, initErrors: [] };
    const options = { preview: this.#preview, timeoutSeconds: next.timeouts.update };
    const outcome = await settle(async () => ({
      id,
      ...(await this.#provider.of(next).update(id, this.#sent(old.outputs), this.#sent(next.inputs), options)),
    }));
    return { ...outcome, id, outputs: this.#marked(outcome.outputs, next.inputs) };
  }

  /** `properties` are what the provider is given, and the model for the marks of what it returns: inputs only if it has them. */
  async read(resource: ResourceState, properties: Properties) {
    // What a program reads has no state yet: the inputs stand for it.
    const read = await this.#provider
      .of(resource)
      .read(resource.id, this.#sent(properties), this.#sent(resource.inputs));
    return {
      id: read.id,
      outputs: this.#marked(read.outputs, properties),
      inputs: this.#marked(read.inputs, resource.inputs),
    };
  }

  async delete(old: ResourceState): Promise<void> {
    if (this.#preview) return;
    const options = { timeoutSeconds: old.timeouts.delete };
    await this.#provider.of(old).delete(old.id, this.#sent(old.outputs), options);
  }

  async invoke(token: string, args: Properties) {
    return await this.#provider.invoke(token, args);
  }

  #sent(properties: Properties): Properties {
    return this.#isPlugin ? properties : plain(properties);
  }

  #marked(properties: Properties, model: Properties): Properties {
    return this.#isPlugin ? properties : markedLike(properties, model);
  }
}

/** The outputs with the marks that the resource's own secret inputs ask for. */
export function secretOutputs(resource: ResourceState, outputs: Properties): Properties {
  return markedLike(outputs, resource.inputs);
}

/** Waits for a create or an update; a partial failure is an outcome. */
async function settle(act: () => Promise<{ readonly id: string; readonly outputs: Properties }>): Promise<Outcome> {
  try {
    return { ...(await act()), initErrors: [] };
  } catch (error) {
    if (!(error instanceof HostError) || error.partial === undefined) throw error;
    const { id, properties, reasons } = error.partial;
    return { id, outputs: properties, initErrors: reasons, failure: error };
  }
}
