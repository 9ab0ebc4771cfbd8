import { randomUUID } from "node:crypto";
import type * as z from "zod";
import type { Thread, ThreadCreate, ThreadSearch } from "../../contract/agent-server.ts";
import { HttpError } from "../http/error.ts";
import type { AgentRun } from "./agent-run.ts";
import type { EchoState } from "./echo-agent.ts";
import { holds } from "./search.ts";

// What a service of tests needs, a few megabytes of chats.
const MOST_THREADS = 20_000;

type Facts = Readonly<Record<string, unknown>>;

/** One thread of the built-in agent. */
export class AgentThread {
  readonly id: string;
  readonly metadata: Facts;
  readonly createdAt = new Date().toISOString();
  /** Oldest first. */
  readonly runs: AgentRun[] = [];
  /** Undefined before the first run has ended. */
  values: EchoState | undefined;
  /** What its last run asks a human. */
  asked: readonly unknown[] = [];
  #updatedAt = this.createdAt;
  #last: Promise<unknown> = Promise.resolve();

  constructor(id: string, metadata: Facts) {
    this.id = id;
    this.metadata = metadata;
  }

  /** Resolves when its runs so far have ended. */
  get idle(): Promise<unknown> {
    return this.#last;
  }

  get isBusy(): boolean {
    return this.runs.some(({ isOpen }) => isOpen);
  }

  add(run: AgentRun): void {
    this.runs.push(run);
    const noted = run.ended.then((ending) => {
      this.#updatedAt = new Date().toISOString();
      if (ending.kind === "success" || ending.kind === "interrupted") this.values = ending.state;
      this.asked = ending.kind === "interrupted" ? ending.asked : [];
    });
    // One that is cancelled while it waits ends before those that it waits for.
    this.#last = Promise.all([this.#last, noted]);
  }

  run(id: string): AgentRun {
    const run = this.runs.find((one) => one.id === id);
    if (run) return run;
    throw new HttpError(404, `Run with ID ${id} not found`);
  }

  get status() {
    if (this.isBusy) return "busy";
    const last = this.runs.at(-1)?.status;
    if (last === "error") return "error";
    // A run that was cancelled leaves its thread like one that asks a human.
    return last === "interrupted" || this.asked.length > 0 ? "interrupted" : "idle";
  }

  /** As servers show it. */
  toJson(): Thread {
    const { id, metadata, createdAt, status, values, asked } = this;
    return {
      thread_id: id,
      created_at: createdAt,
      updated_at: this.#updatedAt,
      metadata,
      status,
      values: values ?? null,
      interrupts: asked.length === 0 ? {} : { echo: asked },
    };
  }
}

/** The threads of one agent server, in memory: the oldest idle ones give way to new ones. */
export class AgentThreads {
  readonly #threads = new Map<string, AgentThread>();

  /** A new thread; with the id of one that is there, that one or a 409. */
  create({ thread_id, metadata = {}, if_exists }: ThreadCreate): AgentThread {
    const id = thread_id?.toLowerCase() ?? randomUUID();
    const known = this.#threads.get(id);
    if (known && if_exists === "do_nothing") return known;
    if (known) throw new HttpError(409, `Thread with ID ${id} already exists`);
    if (this.#threads.size >= MOST_THREADS) {
      const oldest = [...this.#threads.values()].find(({ isBusy }) => !isBusy);
      if (!oldest) throw new HttpError(503, `All ${String(MOST_THREADS)} threads are busy.`);
      this.#threads.delete(oldest.id);
    }
    const thread = new AgentThread(id, metadata);
    this.#threads.set(id, thread);
    return thread;
  }

  get(id: string): AgentThread {
    const thread = this.#threads.get(id);
    if (thread) return thread;
    throw new HttpError(404, `Thread with ID ${id} not found`);
  }

  /** Those with this status whose metadata holds these values, newest first. */
  search({ metadata, status }: z.infer<typeof ThreadSearch>) {
    return [...this.#threads.values()]
      .toReversed()
      .filter((thread) => (status == null || thread.status === status) && holds(thread.metadata, metadata));
  }

  /** Forgets a thread; a run that is open in it goes on. */
  delete(id: string): void {
    this.get(id);
    this.#threads.delete(id);
  }
}
