import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunFate } from "../faults/fates.ts";
import { runEcho, type EchoState } from "./echo-agent.ts";

/** One event of the stream of a run. */
export interface AgentEvent {
  readonly event: "error" | "messages" | "metadata" | "updates" | "values";
  readonly data: unknown;
}

/** How a run ended: with its state, and the question in it; with a failure; or cancelled. */
export type AgentEnding =
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly failure: { readonly error: string; readonly message: string } }
  | { readonly kind: "interrupted"; readonly state: EchoState; readonly asked: readonly unknown[] }
  | { readonly kind: "success"; readonly state: EchoState };

/** What a run begins with. */
export interface RunStart {
  readonly input: unknown;
  /** The state of its thread when its turn comes; an empty one without a thread. */
  readonly before: () => EchoState;
  /** The state that is recorded for this input. */
  readonly recorded: EchoState | undefined;
  readonly fate: RunFate;
  /** Resolves when the runs before it in its thread have ended. */
  readonly turn: Promise<unknown>;
  /** Resolves when runs that are held may go on. */
  readonly released: Promise<unknown>;
}

/** One run of the built-in agent, from the request to its end; several clients may follow it. */
export class AgentRun {
  readonly id = randomUUID();
  readonly createdAt = new Date().toISOString();
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly ended: Promise<AgentEnding>;
  readonly #events: AgentEvent[] = [];
  readonly #pauseMilliseconds: number;
  #news = Promise.withResolvers<undefined>();
  #ending: AgentEnding | undefined;
  #begun = false;
  readonly #cancelled = new AbortController();

  constructor(start: RunStart, metadata: Readonly<Record<string, unknown>>) {
    this.metadata = metadata;
    this.#pauseMilliseconds = start.fate.pauseMilliseconds ?? 0;
    this.ended = this.#toEnd(start).then((ending) => {
      this.#ending = ending;
      this.#news.resolve(undefined);
      return ending;
    });
  }

  get status() {
    switch (this.#ending?.kind) {
      case undefined:
        return this.#begun ? "running" : "pending";
      case "cancelled":
        return "interrupted";
      case "failed":
        return "error";
      // One that asks a human has done what it could.
      case "interrupted":
      case "success":
        return "success";
    }
  }

  get isOpen(): boolean {
    return !this.#ending;
  }

  /** Ends it now; true unless it has ended. */
  cancel(): boolean {
    this.#cancelled.abort();
    return this.isOpen;
  }

  /** All events, from the first on, as they come. */
  async *events(): AsyncGenerator<AgentEvent, void, undefined> {
    for (let next = 0; ; next += 1) {
      while (next >= this.#events.length) {
        if (this.#ending) return;
        await this.#news.promise;
      }
      const event = this.#events[next];
      if (event) yield event;
    }
  }

  async #toEnd({ input, before, recorded, fate, turn, released }: RunStart): Promise<AgentEnding> {
    const { signal } = this.#cancelled;
    const cancelled = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => {
        resolve();
      });
    });
    const held = async (status: RunFate["hold"]) => {
      if (fate.hold === status) await Promise.race([released, cancelled]);
    };
    await Promise.race([turn, cancelled]);
    await held("pending");
    if (signal.aborted) return { kind: "cancelled" };

    this.#begun = true;
    await this.#tell({ event: "metadata", data: { run_id: this.id, attempt: 1 } });
    if (fate.recovers === true) {
      await this.#tell({ event: "error", data: { error: "ConnectionError", message: "the first attempt failed" } });
      await this.#tell({ event: "metadata", data: { run_id: this.id, attempt: 2 } });
    }
    const result = runEcho(input, before(), recorded);
    if (result.ok) await this.#tell({ event: "values", data: result.begin });
    await held("running");
    if (this.#cancelled.signal.aborted) return { kind: "cancelled" };

    if (!result.ok || fate.end === "error") {
      const failure = result.ok ? { error: "InternalError", message: "the agent broke" } : result.failure;
      await this.#tell({ event: "error", data: failure });
      return { kind: "failed", failure };
    }
    if (fate.end === "empty") {
      await this.#tell({ event: "values", data: {} });
      return { kind: "success", state: {} };
    }
    if (fate.end === "interrupted") {
      const asked = [{ value: "May I go on?", id: randomUUID() }];
      await this.#tell({ event: "values", data: { ...result.begin, __interrupt__: asked } });
      return { kind: "interrupted", state: result.begin, asked };
    }
    const { messages } = result.update;
    for (const message of Array.isArray(messages) ? messages : []) {
      await this.#tell({ event: "messages", data: [message, {}] });
    }
    await this.#tell({ event: "updates", data: { echo: result.update } });
    await this.#tell({ event: "values", data: result.state });
    return { kind: "success", state: result.state };
  }

  async #tell(event: AgentEvent): Promise<void> {
    if (this.#pauseMilliseconds > 0) await sleep(this.#pauseMilliseconds, undefined, { ref: false });
    this.#events.push(event);
    const { resolve } = this.#news;
    this.#news = Promise.withResolvers();
    resolve(undefined);
  }
}
