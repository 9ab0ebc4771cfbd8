import type { Thread, ThreadCreate, ThreadFilter, ThreadRun, ThreadState } from "../contract/agent-server.ts";
import { anyObject, checkCall } from "../contract/call-arguments.ts";
import { AGENT_SERVER } from "../contract/operations/agent-server.ts";
import { requestTo } from "../contract/operations/operation.ts";
import { callOptions } from "../http/call-shapes.ts";
import type { Clock } from "../http/clock.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import { PAGE_SIZE, pagesOf, type ListOptions } from "../http/page-walk.ts";
import { idInPath } from "./call-shapes.ts";

// An agent thinks longer than an API: as long as many proxies keep a silent connection.
export const RUN_MILLISECONDS = 120_000;

/**
 * The threads of an agent server, and the runs in them. A thread keeps the state from run to run; what a run came to is
 * `status` of the run first, then `status` and `values` of its thread. Every operation throws the errors of a request;
 * HttpStatusError with 404 for an id that the server does not know, and for a server without threads.
 */
export class Threads {
  readonly #api: JsonApi;
  readonly #clock: Clock;

  constructor(api: JsonApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /**
   * Makes a thread.
   * @throws The errors of a request; HttpStatusError with 409 for an id that is taken, unless `if_exists` is
   *   `do_nothing`.
   * @idempotence Sent again only if the server reports that it did not process it.
   * @contract Section 1, the group Threads; the path is that of public servers.
   */
  async create(thread: ThreadCreate = {}, options: CallOptions = {}): Promise<Thread> {
    checkCall("create", { thread: [anyObject, thread], options: [callOptions, options] });
    return await this.#api.request({ ...options, ...requestTo(AGENT_SERVER.createThread, {}, { body: thread }) });
  }

  /**
   * Every thread that the filter fits, page by page.
   * @throws ArgumentsError at once; then EndlessListError, the errors of a request.
   * @idempotence A search: sent again after a failure that may pass.
   * @contract Section 1, the group Threads; the path is that of public servers.
   */
  search(filter: ThreadFilter = {}, options: ListOptions = {}): AsyncGenerator<Thread, void, undefined> {
    checkCall("search", { filter: [anyObject, filter], options: [callOptions, options] });
    const request = (offset: number) =>
      requestTo(AGENT_SERVER.searchThreads, {}, { body: { ...filter, limit: PAGE_SIZE, offset } });
    const idOf = ({ thread_id }: Thread) => thread_id;
    return pagesOf({ of: "threads", api: this.#api, clock: this.#clock, idOf, request }, options);
  }

  /**
   * One thread.
   * @throws The errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group Threads; the path is that of public servers.
   */
  async get(threadId: string, options: CallOptions = {}): Promise<Thread> {
    checkCall("get", { threadId: [idInPath, threadId], options: [callOptions, options] });
    const request = requestTo(AGENT_SERVER.getThread, { thread_id: threadId });
    return await this.#api.request({ ...options, ...request, about: { thread_id: threadId } });
  }

  /**
   * The state of a thread, with the reason of a step that failed.
   * @throws The errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group Threads; the path is that of public servers.
   */
  async state(threadId: string, options: CallOptions = {}): Promise<ThreadState> {
    checkCall("state", { threadId: [idInPath, threadId], options: [callOptions, options] });
    return await this.#api.request({ ...options, ...requestTo(AGENT_SERVER.threadState, { thread_id: threadId }) });
  }

  /**
   * Deletes a thread; false if the server does not have it. A run that is still open in it goes on: cancel it before.
   * @throws The errors of a request.
   * @idempotence Deleting twice is deleting once: sent again after a failure that may pass.
   * @contract Section 1, the group Threads; the path is that of public servers.
   */
  async delete(threadId: string, options: CallOptions = {}): Promise<boolean> {
    checkCall("delete", { threadId: [idInPath, threadId], options: [callOptions, options] });
    const request = requestTo(AGENT_SERVER.deleteThread, { thread_id: threadId });
    return await this.#api.done({ ...options, ...request }, 404);
  }

  /**
   * Every run of a thread, in the order of the server, page by page.
   * @throws ArgumentsError at once; then EndlessListError, the errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group Thread Runs; the path is that of public servers.
   */
  runs(threadId: string, options: ListOptions = {}): AsyncGenerator<ThreadRun, void, undefined> {
    checkCall("runs", { threadId: [idInPath, threadId], options: [callOptions, options] });
    const request = (offset: number) =>
      requestTo(AGENT_SERVER.listRuns, { thread_id: threadId }, { query: { limit: PAGE_SIZE, offset } });
    const idOf = ({ run_id }: ThreadRun) => run_id;
    return pagesOf({ of: "runs", api: this.#api, clock: this.#clock, idOf, request }, options);
  }

  /**
   * One run of a thread.
   * @throws The errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group Thread Runs; the path is that of public servers.
   */
  async run(threadId: string, runId: string, options: CallOptions = {}): Promise<ThreadRun> {
    checkCall("run", { threadId: [idInPath, threadId], runId: [idInPath, runId], options: [callOptions, options] });
    const request = requestTo(AGENT_SERVER.getRun, { thread_id: threadId, run_id: runId });
    return await this.#api.request({ ...options, ...request, about: { run_id: runId } });
  }

  /**
   * Waits until a run has ended, and returns what the server sends then: of a run that answered its final state. Of a
   * run that failed, was cancelled or asks a human servers send other things, some of them the input: read `run` and
   * `get` to know. It may take 120 s, or `attemptMilliseconds`.
   * @throws The errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group Thread Runs; the path is that of public servers.
   */
  async join(threadId: string, runId: string, options: CallOptions = {}): Promise<unknown> {
    checkCall("join", { threadId: [idInPath, threadId], runId: [idInPath, runId], options: [callOptions, options] });
    const { attemptMilliseconds = RUN_MILLISECONDS, deadlineMilliseconds = attemptMilliseconds } = options;
    const request = requestTo(AGENT_SERVER.joinRun, { thread_id: threadId, run_id: runId });
    return await this.#api.request({ ...options, attemptMilliseconds, deadlineMilliseconds, ...request });
  }

  /**
   * Cancels a run, and returns once it has ended; false if there is none that could be cancelled.
   * @throws The errors of a request.
   * @idempotence Cancelling twice is cancelling once: sent again after a failure that may pass.
   * @contract Section 1, the group Thread Runs; the path is that of public servers.
   */
  async cancel(threadId: string, runId: string, options: CallOptions = {}): Promise<boolean> {
    checkCall("cancel", { threadId: [idInPath, threadId], runId: [idInPath, runId], options: [callOptions, options] });
    const ids = { thread_id: threadId, run_id: runId };
    const request = requestTo(AGENT_SERVER.cancelRun, ids, { query: { wait: "true" } });
    // It has ended, or was never there: servers say it with either.
    return await this.#api.done({ ...options, ...request }, 404, 409);
  }
}
