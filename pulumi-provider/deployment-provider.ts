import type { dynamic } from "@pulumi/pulumi";
import type { DeployEvent } from "../src/deployment/events.ts";
import { check } from "./core/check.ts";
import { remove } from "./core/delete.ts";
import { diff } from "./core/diff.ts";
import { lookAgain, lookUp } from "./core/lookup.ts";
import { read } from "./core/read.ts";
import { inputsOf } from "./core/request.ts";
import { STATE_VERSION, type Properties } from "./core/state.ts";
import { create, update, type OperationContext } from "./core/update.ts";
import type { Host } from "./host.ts";

// A key that is absent counts as unknown in a preview.
const NOT_OURS = { managedRevisionId: null, sourceHash: null, sourceSummary: null };

/** The resource `Deployment` as the engine's host of dynamic providers calls it; the work is in core. */
export class DeploymentProvider implements dynamic.ResourceProvider<Properties, Properties> {
  readonly #host: Host;
  // The ids of what this run took over or updated: an engine deletes none of it in the same run.
  readonly #kept = new Set<string>();

  constructor(host: Host) {
    this.#host = host;
  }

  async configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.#host.configure(request);
  }

  async check(olds: Properties, news: Properties): Promise<dynamic.CheckResult<Properties>> {
    const host = this.#host;
    return await host.answer(news, async () => {
      const { config, env, isUnknown, programDirectory, sources } = host;
      const context = { config, env, isUnknown, programDirectory, sources, log: host.tellerOf(news) };
      const { inputs, failures } = await check(olds, news, context);
      // The host adds what it needs to these objects.
      return { inputs: { ...inputs }, failures: [...failures] };
    });
  }

  async diff(_id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
    return await this.#host.answer(news, async () => {
      const { changes, replaces, deleteBeforeReplace, reasons } = await diff(olds, news, this.#host);
      if (changes && reasons.length > 0) this.#host.tellerOf(news)("info", `${reasons.join("; ")}.`);
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    });
  }

  async create(news: Properties): Promise<dynamic.CreateResult<Properties>> {
    return await this.#withContext(news, async ({ deps, ...context }) => {
      const emit = (event: DeployEvent) => {
        // With `adopt` alone a create writes to what it has found.
        if (event.type === "deployment-found" && news["adopt"] === "ifExists") this.#kept.add(event.deployment.id);
        deps.emit(event);
      };
      const { id, properties } = await create(news, { ...context, deps: { ...deps, emit } });
      return { id, outs: { ...properties } };
    });
  }

  async update(id: string, olds: Properties, news: Properties): Promise<dynamic.UpdateResult<Properties>> {
    return await this.#withContext(news, async (context) => {
      this.#kept.add(id);
      const { properties } = await update(id, olds, news, context);
      return { outs: { ...properties } };
    });
  }

  async read(id: string, properties: Properties = {}): Promise<dynamic.ReadResult<Properties>> {
    // Only what an update or an earlier look left has a version: without one, the program looks a deployment up.
    const isLookup = properties["stateVersion"] === undefined;
    if (isLookup || properties["lookedUp"] === true) {
      return await this.#readForeign(id, properties, isLookup);
    }
    return await this.#withContext(properties, async (context) => {
      const state = await read(id, properties, context);
      return state === undefined ? {} : { id, props: { ...state } };
    });
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const log = this.#host.tellerOf(properties);
    await this.#withContext(properties, async ({ deps }) => {
      // A resource that moves to another name in the program is made before the old one is deleted: with `adopt` both
      // are the same deployment.
      if (this.#kept.has(id))
        log("info", `deployment ${id} is kept: another resource of the program has taken it over.`);
      else await remove(id, properties, { deps, log });
    });
  }

  async #readForeign(id: string, properties: Properties, isLookup: boolean): Promise<dynamic.ReadResult<Properties>> {
    const host = this.#host;
    const named = { ...properties, name: id };
    return await host.answer(named, async () => {
      const { controlPlane } = host.depsOf(named, properties);
      const found = isLookup ? await lookUp(id, controlPlane) : await lookAgain(id, controlPlane);
      if (found === undefined) return {};
      const { id: itsId, ...facts } = found;
      const props = { ...properties, ...facts, ...NOT_OURS, stateVersion: STATE_VERSION, lookedUp: true };
      return { id: itsId, props };
    });
  }

  async #withContext<Result>(
    properties: Properties,
    work: (context: OperationContext) => Promise<Result>,
  ): Promise<Result> {
    const host = this.#host;
    return await host.answer(properties, async () => {
      const { env, programDirectory } = host;
      return await work({ deps: host.depsOf(properties, inputsOf(properties)), env, programDirectory });
    });
  }
}
