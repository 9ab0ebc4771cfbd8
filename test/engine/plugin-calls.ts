import type { PluginProcess, Subject } from "./plugin-process.ts";
import { settle } from "./provider-calls.ts";
import type { Checked, EngineDiff, Outcome, ProviderCalls, Read } from "./provider-calls.ts";
import type { Properties } from "./property-values.ts";
import type { ResourceState } from "./resource-state.ts";

/** A plugin: it accepts secrets, previews, and says which properties differ. */
export class PluginCalls implements ProviderCalls {
  readonly #plugin: PluginProcess;
  readonly #preview: boolean;

  constructor(plugin: PluginProcess, preview: boolean) {
    this.#plugin = plugin;
    this.#preview = preview;
  }

  async check(resource: ResourceState, olds: Properties, news: Properties): Promise<Checked> {
    return await this.#plugin.check(subject(resource), olds, news);
  }

  async diff(old: ResourceState, news: Properties): Promise<EngineDiff> {
    const diff = await this.#plugin.diff(subject(old), old.id, old.outputs, news);
    const { changes, detail, replaces, deleteBeforeReplace } = diff;
    return { changes: changes === "some", keys: Object.keys(detail), replaces, deleteBeforeReplace };
  }

  async create(next: ResourceState): Promise<Outcome> {
    const options = { preview: this.#preview, timeoutSeconds: next.timeouts.create };
    const outcome = await settle(() => this.#plugin.create(subject(next), next.inputs, options));
    if (!this.#preview && outcome.id === "") throw new Error("The provider returned no id from create.");
    return outcome;
  }

  async update(old: ResourceState, next: ResourceState): Promise<Outcome> {
    const options = { preview: this.#preview, timeoutSeconds: next.timeouts.update };
    const outcome = await settle(async () => ({
      id: old.id,
      outputs: await this.#plugin.update(subject(next), old.id, old.outputs, next.inputs, options),
    }));
    return { ...outcome, id: old.id };
  }

  async read(resource: ResourceState, properties: Properties): Promise<Read> {
    // What a program reads has no state yet: the inputs stand for it.
    return await this.#plugin.read(subject(resource), resource.id, properties, resource.inputs);
  }

  async delete(old: ResourceState): Promise<void> {
    if (this.#preview) return;
    await this.#plugin.delete(subject(old), old.id, old.outputs, { timeoutSeconds: old.timeouts.delete });
  }

  async invoke(token: string, args: Properties) {
    return await this.#plugin.invoke(token, args);
  }
}

function subject({ urn, name, type }: ResourceState): Subject {
  return { urn, name, type };
}
