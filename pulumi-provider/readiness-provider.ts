import type { dynamic } from "@pulumi/pulumi";
import * as z from "zod";
import { differ } from "./core/state/changes.ts";
import { plainJson } from "./core/operations/outputs.ts";
import { type Properties, meaningful, subjectOf } from "./core/state/state.ts";
import type { Host } from "./host.ts";
import { GraphDeployError } from "../src/contract/graph-deploy-error.ts";
import { follow } from "../src/deployment/follow.ts";
import type { FollowRequest } from "../src/deployment/request.ts";
import { InputShapes } from "./core/inputs/fields.ts";
import { LONGEST_PAUSE_MILLISECONDS } from "./core/operations/request.ts";
import { timeoutMilliseconds } from "./core/inputs/timeouts.ts";

// Which revision must answer, and where it is.
const Inputs = InputShapes.pick({
  name: true,
  timeoutSeconds: true,
  controlPlaneUrl: true,
  tenantId: true,
  credential: true,
  fieldNames: true,
}).extend({ deploymentId: z.string(), revisionId: z.string() });

// Another of these is another agent to ask.
const ASKED = ["deploymentId", "revisionId", "controlPlaneUrl"] as const;

/** Whether the agent of a revision answers: a resource that exists once it did. Nothing of it is in the service. */
export class ReadinessProvider implements dynamic.ResourceProvider<Properties, Properties> {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  async configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.#host.configure((key) => request.config.get(key));
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

  /** Waits until the agent server of a revision answers as that revision; what it answers are the outputs. */
  async #ask(news: Properties): Promise<Properties> {
    const host = this.#host;
    return await host.answer(news, async () => {
      const inputs = readinessInputsOf(news);
      const { deploymentId, revisionId } = inputs;
      const request: FollowRequest = {
        target: { deploymentId },
        revisionId,
        timeoutMilliseconds: timeoutMilliseconds(inputs, "create"),
        pollCapMilliseconds: LONGEST_PAUSE_MILLISECONDS,
        onSuperseded: "fail",
        smokeTest: true,
      };
      const { url } = await follow(request, host.depsOf(news, inputs));
      return { ...plainJson({ ...inputs, url: url ?? null }) };
    });
  }
}

class ReadinessInputsError extends GraphDeployError {
  readonly code = "READINESS_INPUTS";
}

/** The inputs among the properties that the engine hands over; null counts as absent. Throws ReadinessInputsError. */
function readinessInputsOf(properties: Properties) {
  const parsed = Inputs.safeParse(meaningful(properties));
  if (parsed.success) return parsed.data;
  const wrong = [...new Set(parsed.error.issues.map(({ path: [key] }) => String(key)))].join(", ");
  throw new ReadinessInputsError(
    `The agent of ${subjectOf(properties)} cannot be checked: missing or invalid ${wrong}.`,
    {
      advice: "A deployment without a revision has no agent; run `pulumi up` until it has one.",
    },
  );
}
