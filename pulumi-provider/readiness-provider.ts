import type { dynamic } from "@pulumi/pulumi";
import { awaitReadiness, readinessInputsOf } from "./core/operations/readiness.ts";
import { differ } from "./core/state/changes.ts";
import { plainJson } from "./core/operations/outputs.ts";
import type { Properties } from "./core/state/state.ts";
import type { Host } from "./host.ts";

// Another of these is another agent to ask.
const ASKED = ["deploymentId", "revisionId", "controlPlaneUrl"] as const;

/** Whether the agent of a revision answers: a resource that exists once it did. Nothing of it is in the service. */
export class ReadinessProvider implements dynamic.ResourceProvider<Properties, Properties> {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  async configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.#host.configure(request);
  }

  async check(_olds: Properties, news: Properties): Promise<dynamic.CheckResult<Properties>> {
    return { inputs: { ...news } };
  }

  async diff(_id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
    return { changes: ASKED.some((key) => differ(olds[key], news[key])) };
  }

  async create(news: Properties): Promise<dynamic.CreateResult<Properties>> {
    return { id: String(news["deploymentId"]), outs: await this.#ask(news) };
  }

  async update(_id: string, _olds: Properties, news: Properties): Promise<dynamic.UpdateResult<Properties>> {
    return { outs: await this.#ask(news) };
  }

  async read(id: string, properties: Properties = {}): Promise<dynamic.ReadResult<Properties>> {
    return { id, props: { ...properties } };
  }

  async delete(): Promise<void> {
    // There is nothing to delete.
  }

  async #ask(news: Properties): Promise<Properties> {
    const host = this.#host;
    return await host.answer(news, async () => {
      const inputs = readinessInputsOf(news);
      return { ...plainJson(await awaitReadiness(inputs, host.depsOf(news, inputs))) };
    });
  }
}
