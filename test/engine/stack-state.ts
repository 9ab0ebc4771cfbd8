import { createHash } from "node:crypto";
import { mapSecrets, plain } from "./property-values.ts";
import type { Properties } from "./property-values.ts";
import type { ResourceState } from "./resource-state.ts";
import { Secret } from "./stack.ts";
import type { ExportedResource, ExportedState } from "./stack.ts";

/** What an engine that is killed leaves open. */
export interface PendingOperation {
  readonly type: "creating" | "updating" | "deleting" | "reading";
  readonly name: string;
}

/** What the small engine remembers between runs. */
export class StackState {
  #resources: readonly ResourceState[];
  #pending: readonly PendingOperation[];

  constructor(resources: readonly ResourceState[] = [], pending: readonly PendingOperation[] = []) {
    this.#resources = resources;
    this.#pending = pending;
  }

  get resources(): readonly ResourceState[] {
    return this.#resources;
  }

  get pending(): readonly PendingOperation[] {
    return this.#pending;
  }

  /** A preview works on a copy. */
  copy(): StackState {
    return new StackState(this.#resources, this.#pending);
  }

  /** The resource of that URN that is not on its way out. */
  live(urn: string): ResourceState | undefined {
    return this.#resources.find((one) => one.urn === urn && !one.deleting);
  }

  /** Puts a resource in the place of another, or after all others. */
  put(next: ResourceState, old?: ResourceState): void {
    this.#resources =
      old === undefined ? [...this.#resources, next] : this.#resources.map((one) => (one === old ? next : one));
  }

  remove(resource: ResourceState): void {
    this.#resources = this.#resources.filter((one) => one !== resource);
  }

  /** Remembers an operation until `end` is called with what it returns. */
  begin(operation: PendingOperation): PendingOperation {
    this.#pending = [...this.#pending, operation];
    return operation;
  }

  end(operation: PendingOperation): void {
    this.#pending = this.#pending.filter((one) => one !== operation);
  }

  /** As the real engine: what it was creating stays until somebody looks, the rest is forgotten with the next run. */
  forgetPending(): void {
    this.#pending = this.#pending.filter(({ type }) => type === "creating");
  }

  exported(): ExportedState {
    const file = {
      resources: this.#resources.map((one) => ({
        ...one,
        inputs: encrypted(one.inputs),
        outputs: encrypted(one.outputs),
      })),
      pendingOperations: this.#pending,
    };
    return {
      resources: this.#resources.map(exportedResource),
      pendingOperations: this.#pending,
      text: JSON.stringify(file, undefined, 2),
    };
  }
}

function exportedResource(resource: ResourceState): ExportedResource {
  const { urn, type, name, id, custom, initErrors, deleting } = resource;
  const inputs = mapSecrets(resource.inputs, asExported);
  const outputs = mapSecrets(resource.outputs, asExported);
  return { urn, type, name, id, custom, inputs, outputs, initErrors, deleting };
}

function asExported(value: unknown): Secret {
  return new Secret(plain({ value })["value"]);
}

function encrypted(properties: Properties): Properties {
  // A digest is no encryption, but whoever looks for the plain text must not find it.
  return mapSecrets(properties, (value) => ({
    ciphertext: createHash("sha256").update(JSON.stringify(value)).digest("base64"),
  }));
}
