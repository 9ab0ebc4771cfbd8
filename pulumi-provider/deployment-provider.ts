import { randomUUID } from "node:crypto";
import type { dynamic } from "@pulumi/pulumi";
import type { DeployEvent } from "../src/deployment/events.ts";
import { isStillThere } from "./core/service/address.ts";
import { NOT_OURS } from "./core/service/found.ts";
import { announceAdoption } from "./core/operations/adoption.ts";
import { check } from "./core/check/check.ts";
import { isKept, remove } from "./core/operations/delete.ts";
import { diff, type Difference } from "./core/operations/diff.ts";
import { holderOf, Holders, keptText, unnotedText } from "./core/state/holders.ts";
import { KeysOfAddresses } from "./core/service/keys-of-addresses.ts";
import { lookUpAgain, lookUp } from "./core/service/lookup.ts";
import { LOOK_SILENCE_MILLISECONDS, serviceInputsOf } from "./core/service/service.ts";
import { PartialFailure } from "./core/operations/outputs.ts";
import { inputsShown, read } from "./core/operations/read.ts";
import { stayingNote } from "./core/state/removals.ts";
import { inputsOf } from "./core/operations/request.ts";
import { internalsOf, withInternals, checkStateVersion, STATE_VERSION } from "./core/state/internals.ts";
import type { Properties } from "./core/state/state.ts";
import { findUnknown } from "./core/state/unknown-values.ts";
import { create, update, type OperationContext, type Outcome } from "./core/operations/update.ts";
import type { Host } from "./host.ts";

// A new key belongs to the service that the program names with it.
const OTHER_KEY =
  "the current API key belongs to another address, and is not sent there. " +
  "To let the next update delete it, set `credential` to a key for that address.";

/** The resource `Deployment` as the engine's host of dynamic providers calls it; the work is in core. */
export class DeploymentProvider implements dynamic.ResourceProvider<Properties, Properties> {
  readonly #host: Host;
  readonly #holders: Holders;
  readonly #keys: KeysOfAddresses;
  // The resources that this run moves to another service, with the inputs that say so.
  readonly #moves = new Map<string, Properties>();
  // What was said last of the difference of a deployment.
  readonly #told = new Map<string, string>();

  constructor(host: Host) {
    this.#host = host;
    this.#keys = new KeysOfAddresses(host, host.fingerprints);
    this.#holders = new Holders(host.marks);
  }

  async configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.#host.configure((key) => request.config.get(key));
  }

  async check(olds: Properties, news: Properties): Promise<dynamic.CheckResult<Properties>> {
    const host = this.#host;
    return await host.answer(news, async () => {
      const { config, env, isUnknown, programDirectory, sources } = host;
      const log = host.tellerOf(news);
      const context = { config, env, isUnknown, programDirectory, sources, log };
      const { inputs, failures } = await check(olds, news, context);
      if (failures.length === 0 && Object.keys(olds).length === 0) await this.#announceAdoption(inputs);
      // The host adds what it needs to these objects.
      return { inputs: { ...inputs }, failures: [...failures] };
    });
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
    const { changes, replaces, deleteBeforeReplace } = await this.compare(id, olds, news);
    return { changes, replaces: [...replaces], deleteBeforeReplace };
  }

  /** What a diff found, with all that an engine of plugins can show of it. */
  async compare(id: string, olds: Properties, news: Properties): Promise<Difference> {
    const host = this.#host;
    return await host.answer(news, async () => {
      // A deployment that is only read belongs to another resource, or to none of this stack.
      if (internalsOf(olds).lookedUp !== true) this.#holders.hold(id, { ...olds, __urn: news["__urn"] });
      const { controlPlaneUrl, tenantId, credential, fieldNames } = news;
      // Where the deployment of a resource is that moves to another service, only that service knows.
      const isKnown = findUnknown([controlPlaneUrl, tenantId, credential, fieldNames], host.isUnknown) === undefined;
      const isThere = isKnown && (await isStillThere(id, olds, news, () => host.depsOf(news, serviceInputsOf(news))));
      const difference = await diff(olds, news, {
        env: host.env,
        fingerprints: host.fingerprints,
        isStillThere: isThere,
      });
      const { changes, reasons } = difference;
      if (!isThere) this.#moves.set(holderOf(olds), news);
      const why = `${reasons.join("; ")}.`;
      // An engine that refreshes first asks for the same difference twice in a run.
      if (changes && reasons.length > 0 && this.#told.get(id) !== why) {
        this.#told.set(id, why);
        host.tellerOf(news)("info", why);
      }
      const isOfPlugin = olds["__provider"] === undefined && news["__provider"] !== undefined;
      const staying = stayingNote(olds, news);
      if (staying !== "") host.tellerOf(news)("warning", staying);
      // Pulumi's host finds this provider by the outputs, and only an update writes them.
      return isOfPlugin ? { ...difference, changes: true } : difference;
    });
  }

  async create(news: Properties): Promise<dynamic.CreateResult<Properties>> {
    return await this.#withContext(news, async ({ deps, ...context }) => {
      const marked = withInternals(news, { ...(await this.#keys.markOf(news)), holder: randomUUID() });
      let found: string | undefined;
      const emit = (event: DeployEvent) => {
        // With `adopt` alone a create writes to what it has found.
        if (event.type === "deployment-found" && news["adopt"] === "ifExists") {
          found = event.deployment.id;
          const isNoted = this.#holders.hold(found, marked);
          const where = this.#host.marks?.directory;
          if (!isNoted && where !== undefined) deps.emit({ type: "warning", message: unnotedText(found, where) });
        }
        deps.emit(event);
      };
      try {
        const { id, properties } = await this.#held(create(marked, { ...context, deps: { ...deps, emit } }));
        return { id, outs: { ...properties } };
      } catch (error) {
        // The state does not get it.
        if (!(error instanceof PartialFailure) && found !== undefined) this.#holders.release(found, marked);
        throw error;
      }
    });
  }

  async update(id: string, olds: Properties, news: Properties): Promise<dynamic.UpdateResult<Properties>> {
    return await this.#withContext(news, async (context) => {
      this.#holders.hold(id, { ...olds, __urn: news["__urn"] });
      const marked = withInternals(news, { ...(await this.#keys.markOf(news)), holder: holderOf(olds) });
      const { properties } = await this.#held(update(id, olds, marked, context));
      return { outs: { ...properties } };
    });
  }

  async read(id: string, properties: Properties = {}): Promise<dynamic.ReadResult<Properties>> {
    // Only what an update or an earlier look left has a version: without one, the program looks a deployment up.
    const { stateVersion, lookedUp } = internalsOf(properties);
    const isLookup = stateVersion === undefined;
    if (isLookup || lookedUp === true) {
      return await this.#readForeign(id, properties, isLookup);
    }
    const isMoved = this.#moves.has(holderOf(properties));
    if (!(await (isMoved ? this.#mayAsk(properties) : this.#keys.mayBeSentUnseen(properties)))) {
      const place = String(properties["controlPlaneUrl"]);
      const message =
        `deployment ${id} at ${place} was not read: the current API key is not that of the last update, and may belong to another address. ` +
        `\`pulumi up\` without --refresh works as before; if the key is for ${place}, set GRAPH_DEPLOY_URL to that.`;
      this.#host.tellerOf(properties)("warning", message);
      return { id, props: properties };
    }
    return await this.#withContext(properties, async (context) => {
      const state = await read(id, properties, context);
      if (!state) {
        this.#holders.release(id, properties);
        return {};
      }
      this.#holders.see(id, state);
      const inputs = inputsShown(properties, state);
      return { id, props: { ...state }, ...(inputs ? { inputs } : {}) };
    });
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const host = this.#host;
    const log = host.tellerOf(properties);
    await host.answer(properties, async () => {
      checkStateVersion(properties);
      // What refuses to go holds its deployment all the time: another process may be deleting it.
      if (properties["deletionProtection"] === true && this.#holders.beside(id, properties) === undefined) {
        isKept(id, properties, { log });
      }
      // A resource that gets another name or type in the program is made before the old one is deleted: with `adopt` both
      // are the same deployment, and stay so after a run that failed in between.
      const held = this.#holders.leave(id, properties);
      if (held !== undefined) {
        log(...keptText(id, held));
        return;
      }
      const state = this.#holders.isLeftByMaker(id) ? withInternals(properties, { adopted: false }) : properties;
      try {
        if (isKept(id, state, { log })) return;
        if (await this.#mayAsk(state)) await remove(id, state, { deps: host.depsOf(state, inputsOf(state)), log });
        else {
          const place = String(state["controlPlaneUrl"]);
          log(
            "warning",
            `deployment ${id} stays in the service at ${place}: ${OTHER_KEY} Or delete it in that service.`,
          );
        }
      } catch (error) {
        // The state still has it.
        this.#holders.hold(id, properties);
        throw error;
      }
    });
  }

  /** Tells in a preview, too, that a new resource will take a deployment over. */
  async #announceAdoption(inputs: Properties): Promise<void> {
    const host = this.#host;
    if (inputs["adopt"] !== "ifExists" || findUnknown(serviceInputsOf(inputs), host.isUnknown) !== undefined) return;
    const { config, env, isUnknown, programDirectory } = host;
    const brief = { silenceMilliseconds: LOOK_SILENCE_MILLISECONDS };
    const { controlPlane } = host.depsOf(inputs, serviceInputsOf(inputs), brief);
    const isHeld = (id: string) => this.#holders.has(id);
    const log = host.tellerOf(inputs);
    await announceAdoption(inputs, { controlPlane, config, env, isHeld, isUnknown, log, programDirectory });
  }

  /** Whether the key that there is may be sent to where a deployment was. */
  async #mayAsk(state: Properties): Promise<boolean> {
    return await this.#keys.mayBeSent(state, this.#moves.get(holderOf(state)));
  }

  /** What a create or an update leaves behind holds its deployment, when it fails on the way as well. */
  async #held(work: Promise<Outcome>): Promise<Outcome> {
    try {
      const outcome = await work;
      this.#holders.hold(outcome.id, outcome.properties);
      return outcome;
    } catch (error) {
      if (error instanceof PartialFailure) this.#holders.hold(error.id, error.properties);
      throw error;
    }
  }

  async #readForeign(id: string, properties: Properties, isLookup: boolean): Promise<dynamic.ReadResult<Properties>> {
    const host = this.#host;
    const named = { ...properties, name: id };
    return await host.answer(named, async () => {
      const { controlPlane } = host.depsOf(named, properties);
      const found = isLookup ? await lookUp(id, controlPlane) : await lookUpAgain(id, controlPlane);
      if (!found) return {};
      const { id: itsId, ...facts } = found;
      const shown = { ...properties, ...facts, ...NOT_OURS };
      const props = withInternals(shown, { stateVersion: STATE_VERSION, lookedUp: true });
      return { id: itsId, props };
    });
  }

  async #withContext<Result>(
    properties: Properties,
    work: (context: OperationContext) => Promise<Result>,
  ): Promise<Result> {
    const host = this.#host;
    return await host.answer(properties, async () => {
      const { config, env, fingerprints, programDirectory } = host;
      const [deps, journal] = [host.depsOf(properties, inputsOf(properties)), host.journalOf(properties)];
      return await work({ deps, config, env, fingerprints, journal, programDirectory });
    });
  }
}
