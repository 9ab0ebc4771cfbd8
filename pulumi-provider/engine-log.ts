import { log as pulumiLog, runtime } from "@pulumi/pulumi";

/** How much a line matters. */
export type Severity = "info" | "warning";

/**
 * Lines for the user while an operation goes on. What a provider prints is shown late and without a severity, and
 * Pulumi's own log prints in a host, because nobody tells it where the engine is: the host is started with its address.
 * A line that cannot be told is dropped: it never fails a deployment.
 */
export class EngineLog {
  readonly #isConnected: boolean;
  #last: Promise<unknown> = Promise.resolve();

  /** `HOST:PORT`; undefined where nobody listens. */
  constructor(address: string | undefined) {
    this.#isConnected = address !== undefined;
    if (address !== undefined) runtime.resetOptions("", "", 1, address, "", false, "");
  }

  /** Tells a line; an ephemeral one is a status that the next line replaces. */
  tell(severity: Severity, message: string, { ephemeral = false }: { readonly ephemeral?: boolean } = {}): void {
    if (!this.#isConnected) return;
    const tell = severity === "warning" ? pulumiLog.warn : pulumiLog.info;
    this.#last = Promise.allSettled([this.#last, tell(message, undefined, undefined, ephemeral)]);
  }

  /** Resolves when the engine has every line: it may end as soon as an operation is answered. */
  async flush(): Promise<void> {
    await this.#last;
  }
}
