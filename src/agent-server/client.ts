import type * as z from "zod";
import type {
  AgentServerInfo,
  Assistant,
  AssistantFilter,
  AssistantGraph,
  GraphSchemas,
  RunCreate,
  RunEvent,
} from "../contract/agent-server.ts";
import { anyObject, anyText, checkCall, count, someText } from "../contract/call-arguments.ts";
import { AGENT_SERVER } from "../contract/operations/agent-server.ts";
import { requestTo } from "../contract/operations/operation.ts";
import { printableUrl } from "../http/base-url.ts";
import { callOptions, operation, readOperation } from "../http/call-shapes.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { EVENT_STREAM, type ServerSentEvent } from "../http/event-stream.ts";
import type { HttpClient } from "../http/http-client.ts";
import type { ApiRequest, CallOptions, JsonApi, StreamedOperation, StreamOptions } from "../http/json-api.ts";
import { PAGE_SIZE, pagesOf } from "../http/page-walk.ts";
import { ForeignText } from "../text/foreign-text.ts";
import { findAssistant, hasAssistant, isAssistantId, onlyGraph } from "./assistant-names.ts";
import { graphNames, inThread, iterable, runShape, searchShape } from "./call-shapes.ts";
import type { AssistantSearchOptions, InThread } from "./call-shapes.ts";
import { endingOf, runEvents, toldBy, type RunEnding, type StateEnding } from "./run-ending.ts";
import { refuseStream, rpcCallIn, rpcResponse } from "./rpc.ts";
import { RUN_MILLISECONDS, Threads } from "./threads.ts";

// A server finds them by their graph. One that does not has 2,000 assistants on so many pages of the usual size.
const PAGES_OF_GRAPH = 20;

export interface AgentServerOptions {
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
}

/**
 * The agent server that a deployment exposes. Credentials go to its origin only. Where an assistant
 * is named, it is by its id or by the id of a graph, which stands for the assistant that the server made for it. Every
 * operation throws the errors of a request: HttpStatusError, NetworkError, TimeoutError, InvalidResponseError,
 * RedirectError, and the reason of the signal.
 */
export class AgentServer {
  /** Its threads, and the runs in them. */
  readonly threads: Threads;
  readonly #api: JsonApi;
  readonly #text: ForeignText;
  readonly #http: HttpClient;

  constructor({ endpoint, http }: AgentServerOptions) {
    this.#api = http.api(endpoint);
    this.#text = new ForeignText((text) => http.redactor.text(text));
    this.#http = http;
    this.threads = new Threads(this.#api, http.clock);
  }

  /**
   * Resolves if the server is healthy.
   * @throws The errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group System; the path is that of public servers.
   */
  async ok(options: CallOptions = {}): Promise<void> {
    checkCall("ok", { options: [callOptions, options] });
    await this.#api.request({ ...options, ...requestTo(AGENT_SERVER.ok, {}) });
  }

  /**
   * What the server says of itself: its version, and the revision that it serves, each where it says so.
   * @throws The errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group System; the path is that of public servers.
   */
  async info(options: CallOptions = {}): Promise<AgentServerInfo> {
    checkCall("info", { options: [callOptions, options] });
    return await this.#api.request({ ...options, ...requestTo(AGENT_SERVER.info, {}) });
  }

  /**
   * The page of the interactive API reference, HTML.
   * @throws The errors of a request; HttpStatusError with 404 from a server without one.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 4.4.
   */
  async docs(options: CallOptions = {}): Promise<string> {
    checkCall("docs", { options: [callOptions, options] });
    return await this.#api.text({ ...options, ...requestTo(AGENT_SERVER.docs, {}) });
  }

  /**
   * The server's metrics, in Prometheus' text format.
   * @throws The errors of a request; HttpStatusError with 404 from a server without them.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group System; the path is that of public servers.
   */
  async metrics(options: CallOptions = {}): Promise<string> {
    checkCall("metrics", { options: [callOptions, options] });
    return await this.#api.text({ ...options, ...requestTo(AGENT_SERVER.metrics, {}) });
  }

  /**
   * Every assistant whose metadata holds these values, page by page; with `limit` so many at most, with `offset` those
   * behind so many.
   * @throws ArgumentsError at once; then EndlessListError, the errors of a request.
   * @idempotence A search: sent again after a failure that may pass.
   * @contract Section 4.4.
   */
  searchAssistants(
    metadata: Readonly<Record<string, unknown>> = {},
    options: AssistantSearchOptions = {},
  ): AsyncGenerator<Assistant, void, undefined> {
    checkCall("searchAssistants", { metadata: [anyObject, metadata], options: [searchShape, options] });
    return this.#search({ metadata }, options);
  }

  /**
   * Those of the graphs that have an assistant. `deadlineMilliseconds` is for all together.
   * @throws EndlessListError, the errors of a request.
   * @idempotence Searches: sent again after a failure that may pass.
   * @contract Section 4.4.
   */
  async servedGraphs(graphs: Iterable<string>, options: CallOptions = {}): Promise<ReadonlySet<string>> {
    checkCall("servedGraphs", { graphs: [iterable, graphs], options: [callOptions, options] });
    const names = [...graphs];
    checkCall("servedGraphs", { graphs: [graphNames, names] });
    const deadline = this.#http.deadline(options);
    const served = new Set<string>();
    for (const graph of names) {
      deadline.check(`The search for graphs at ${printableUrl(this.#api.url)}`);
      if (await hasAssistant(graph, this.#searchGraphs({ graph_id: graph }, deadline.callOptions))) served.add(graph);
    }
    return served;
  }

  /**
   * The graph of a server that serves no other. `deadlineMilliseconds` is for all searches together.
   * @throws UnknownAssistantError where it serves none or several, the errors of a request.
   * @idempotence Searches: sent again after a failure that may pass.
   * @contract Section 4.4.
   */
  async onlyGraph(options: CallOptions = {}): Promise<string> {
    checkCall("onlyGraph", { options: [callOptions, options] });
    const deadline = this.#http.deadline(options);
    return await onlyGraph((filter) => this.#searchGraphs(filter, deadline.callOptions), this.#text);
  }

  /**
   * How many assistants there are of a graph, with these values in their metadata.
   * @throws The errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group Assistants; the path is that of public servers.
   */
  async countAssistants(filter: AssistantFilter = {}, options: CallOptions = {}): Promise<number> {
    checkCall("countAssistants", { filter: [anyObject, filter], options: [callOptions, options] });
    return await this.#api.request({
      ...options,
      ...requestTo(AGENT_SERVER.countAssistants, {}, { body: { ...filter } }),
    });
  }

  /**
   * One assistant, by its id or the id of its graph.
   * @throws UnknownAssistantError for a graph that the server does not know, HttpStatusError with 404 for an id; the
   *   errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group Assistants; the path is that of public servers.
   */
  async getAssistant(assistant: string, options: CallOptions = {}): Promise<Assistant> {
    checkCall("getAssistant", { assistant: [someText, assistant], options: [callOptions, options] });
    if (!isAssistantId(assistant)) return await this.#default(assistant, options);
    const request = requestTo(AGENT_SERVER.getAssistant, { assistant });
    return await this.#api.request({ ...options, ...request, about: { assistant_id: assistant } });
  }

  /**
   * What the assistant's graph takes and gives, as JSON Schemas.
   * @throws What `getAssistant` throws.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group Assistants; the path is that of public servers.
   */
  async assistantSchemas(assistant: string, options: CallOptions = {}): Promise<GraphSchemas> {
    checkCall("assistantSchemas", { assistant: [someText, assistant], options: [callOptions, options] });
    const id = await this.#idOf(assistant, options);
    return await this.#api.request({ ...options, ...requestTo(AGENT_SERVER.assistantSchemas, { assistant: id }) });
  }

  /**
   * The nodes and edges of the assistant's graph.
   * @throws What `getAssistant` throws.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Section 1, the group Assistants; the path is that of public servers.
   */
  async assistantGraph(assistant: string, options: CallOptions = {}): Promise<AssistantGraph> {
    checkCall("assistantGraph", { assistant: [someText, assistant], options: [callOptions, options] });
    const id = await this.#idOf(assistant, options);
    return await this.#api.request({ ...options, ...requestTo(AGENT_SERVER.assistantGraph, { assistant: id }) });
  }

  /**
   * Runs an assistant once, in the thread of `threadId` or without one, waits, and returns its final state: any JSON.
   * The run may take 120 s, or `attemptMilliseconds`. `ending` says whether the state is an answer.
   * @throws RunFailedError for an agent that failed, ArgumentsError for an odd `threadId`; the errors of a request.
   * @idempotence Each call is a run. Sent again only if the server reports that it did not process it: an error of
   *   which `mayHaveBeenProcessed` is true leaves open whether the agent ran, or is still running.
   * @contract Section 1, the groups Stateless Runs and Thread Runs; the paths are those of public servers.
   */
  async runAndWait(run: RunCreate, options: CallOptions & InThread = {}): Promise<unknown> {
    checkCall("runAndWait", { run: [runShape, run], options: [inThread, options] });
    const { threadId, attemptMilliseconds = RUN_MILLISECONDS, deadlineMilliseconds = attemptMilliseconds } = options;
    const request =
      threadId === undefined
        ? requestTo(AGENT_SERVER.runAndWait, {}, { body: run })
        : requestTo(AGENT_SERVER.runAndWaitInThread, { thread_id: threadId }, { body: run });
    const answer = await this.#api.request({ ...options, attemptMilliseconds, deadlineMilliseconds, ...request });
    const ending = this.ending(answer, run);
    if (ending.kind === "failed") throw ending.error;
    return answer;
  }

  /**
   * How a run ended with this final state: with an answer, with nothing beyond its input, or with a question to a human.
   * Sends nothing.
   */
  ending(state: unknown, run: RunCreate): StateEnding {
    checkCall("ending", { run: [runShape, run] });
    return endingOf(state, run, this.#text);
  }

  /**
   * Runs an assistant once, in the thread of `threadId` or without one, and yields its events as they arrive. Nothing
   * is sent before the first event is requested. The response may take `attemptMilliseconds` to begin, and the server
   * may be silent for `stallMilliseconds`; each is 120 s when not given. The whole stream may take
   * `longestMilliseconds`, 6 hours when not given. Closing the generator or aborting the signal closes the connection;
   * the run itself may continue. An event `error` does not end the stream, because a server may repeat the run, and is
   * yielded once it has gone on. At the end the generator returns how the run ended.
   * @throws What `runAndWait` throws; NetworkError, TimeoutError or InvalidResponseError for a stream that is cut.
   * @idempotence As `runAndWait`; nothing is sent again once the response has begun.
   * @contract Section 1, the groups Stateless Runs and Thread Runs; the paths are those of public servers.
   */
  async *streamRun(
    run: RunCreate,
    options: StreamOptions & InThread = {},
  ): AsyncGenerator<RunEvent, RunEnding | undefined, undefined> {
    checkCall("streamRun", { run: [runShape, run], options: [inThread, options] });
    const { threadId } = options;
    const request =
      threadId === undefined
        ? requestTo(AGENT_SERVER.streamRun, {}, { body: run })
        : requestTo(AGENT_SERVER.streamRunInThread, { thread_id: threadId }, { body: run });
    return yield* runEvents(this.#events({ ...options, ...request }), run, this.#text);
  }

  /**
   * Any other operation of the agent server, with a schema for its response: threads, crons, the store, A2A, MCP. A
   * call of JSON-RPC, as of A2A and MCP, may be answered with JSON or with a stream of events: the response to the call
   * is taken out of it, within the time of the request. Of several responses, as to `message/stream`, the last is
   * returned.
   * @throws The errors of a request; NetworkError, TimeoutError or InvalidResponseError for a stream that is cut, or
   *   ends without the response.
   * @idempotence A GET, HEAD, PUT or DELETE is sent again after a failure that may pass; a POST or PATCH only with
   *   `repeatable`, or if the server shows that it did not process it.
   * @contract Section 1, all groups.
   */
  async request<Schema extends z.ZodType>(request: ApiRequest<Schema>): Promise<z.output<Schema>> {
    checkCall("request", { request: [readOperation, request] });
    const { source, ...plain } = request;
    if (source !== undefined) return await this.#api.request(request);
    const call = rpcCallIn(request.body);
    if (!call) return await this.#api.requestOrStream(plain, EVENT_STREAM, refuseStream);
    // MCP rejects a request that does not accept both.
    const headers = { accept: `application/json, ${EVENT_STREAM.mediaType}`, ...request.headers };
    const find = async (events: AsyncIterable<ServerSentEvent>) => await rpcResponse(events, call);
    return await this.#api.requestOrStream({ ...plain, headers }, EVENT_STREAM, find);
  }

  /**
   * Any operation whose response is a stream of events, which are yielded as they arrive: a run that is joined, or
   * `message/stream` of A2A. Times and the generator are those of `streamRun`, but no event is held back, and the end
   * of the stream says nothing of what it was about.
   * @throws The errors of a request; NetworkError, TimeoutError or InvalidResponseError for a stream that is cut.
   * @idempotence As `request`; nothing is sent again once the response has begun.
   * @contract Section 1, all groups.
   */
  async *stream(request: StreamedOperation): AsyncGenerator<RunEvent, void, undefined> {
    checkCall("stream", { request: [operation, request] });
    for await (const event of this.#events(request)) yield toldBy(event);
  }

  #events(request: StreamedOperation) {
    const { attemptMilliseconds = RUN_MILLISECONDS, deadlineMilliseconds = attemptMilliseconds } = request;
    const { stallMilliseconds = RUN_MILLISECONDS } = request;
    return this.#api.stream({ ...request, attemptMilliseconds, deadlineMilliseconds, stallMilliseconds }, EVENT_STREAM);
  }

  /** An agent's text as one line that is safe to show: without known secrets, and cut. */
  printable(text: string, most: number): string {
    checkCall("printable", { text: [anyText, text], most: [count, most] });
    return this.#text.line(text, most);
  }

  // Some servers accept the id of a graph only in a search and in a run.
  async #idOf(assistant: string, options: CallOptions): Promise<string> {
    return isAssistantId(assistant) ? assistant : (await this.#default(assistant, options)).assistant_id;
  }

  async #default(graph: string, options: CallOptions): Promise<Assistant> {
    return await findAssistant(graph, (filter) => this.#searchGraphs(filter, options), this.#text);
  }

  #searchGraphs(filter: AssistantFilter, options: CallOptions): AsyncGenerator<Assistant, void, undefined> {
    return this.#search(filter, { mostPages: PAGES_OF_GRAPH, ...options });
  }

  async *#search(
    filter: AssistantFilter,
    { limit = Number.POSITIVE_INFINITY, offset: start, ...options }: AssistantSearchOptions,
  ): AsyncGenerator<Assistant, void, undefined> {
    let left = limit;
    const idOf = ({ assistant_id }: Assistant) => assistant_id;
    const request = (offset: number) => {
      const body = { ...filter, limit: Math.min(PAGE_SIZE, left), offset };
      return requestTo(AGENT_SERVER.searchAssistants, {}, { body });
    };
    const list = { of: "assistants", api: this.#api, clock: this.#http.clock, start, idOf, request };
    for await (const assistant of pagesOf(list, options)) {
      left -= 1;
      yield assistant;
      if (left < 1) return;
    }
  }
}
