import { GraphDeployError } from "../src/contract/graph-deploy-error.ts";
import { PartialFailure } from "./core/operations/outputs.ts";
import type { Properties } from "./core/state/state.ts";
import { sentencesOf } from "./core/advice.ts";

/**
 * An error as Pulumi's host of dynamic providers takes it. It prints name and stack of what is thrown: of an error that
 * speaks to the user only the sentence is left.
 */
export class HostError extends Error {
  /** Of a deployment that exists although the operation failed; the engine keeps it with `properties`. */
  readonly id: string | undefined;
  readonly properties: Properties | undefined;
  readonly reasons: readonly string[] | undefined;

  /**
   * Makes one of whatever was thrown. The host forgets the provider of a partial failure, without which the resource
   * could never be read or deleted again: `provider` is what the inputs name. `clean` makes a text fit to be shown.
   */
  constructor(thrown: unknown, provider: unknown, clean: (text: string) => string) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const sentence = clean(sentencesOf(error));
    super(sentence, { cause: thrown });
    this.name = "";
    if (error instanceof GraphDeployError) this.stack = "";
    if (!(error instanceof PartialFailure)) return;
    this.id = error.id;
    this.properties = { ...error.properties, __provider: provider };
    this.reasons = [sentence];
  }
}
