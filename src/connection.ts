import * as z from "zod";
import { AgentServer } from "./agent-server/client.ts";
import { SERVICE_SHAPES, type ConnectOptions, type ConnectUploadsOptions } from "./connect-options.ts";
import { anyText, someText, type ShapesOf } from "./contract/argument-shapes.ts";
import { checkCall, checkedArgument } from "./contract/call-arguments.ts";
import { fieldNamesShape } from "./contract/field-names.ts";
import { ControlPlane } from "./control-plane/client.ts";
import { ExperimentUploads } from "./experiment-upload/client.ts";
import { printableUrl } from "./http/base-url.ts";
import type { Clock } from "./http/clock.ts";
import { Endpoint } from "./http/endpoint.ts";
import { HttpClient, type HttpClientOptions } from "./http/http-client.ts";
import { Tracing } from "./tracing/client/client.ts";
import { VERSION } from "./version.ts";

export type { ConnectOptions, ConnectUploadsOptions } from "./connect-options.ts";

const USER_AGENT = `graph-deploy/${VERSION}`;

const UploadsShape = z.strictObject({ url: anyText, ...SERVICE_SHAPES } satisfies ShapesOf<ConnectUploadsOptions>);
const ControlPlaneShape = UploadsShape.extend({ fieldNames: fieldNamesShape.optional() } satisfies ShapesOf<
  Omit<ConnectOptions, keyof ConnectUploadsOptions>
>);

/** Holds connections: call `close` at the end, or declare it with `await using`, which calls `close`. */
export interface Closable extends AsyncDisposable {
  /**
   * Closes all connections; aborts requests that are still running.
   * @throws Nothing.
   * @idempotence Sends nothing; may be called again.
   */
  readonly close: () => Promise<void>;
}

/** The client of a service that accepts experiments; close it at the end. */
export interface UploadConnection extends Closable {
  readonly uploads: ExperimentUploads;
}

/** Connects to a service that accepts experiments, as `connect` does to a control plane. Throws ArgumentsError and AddressError. */
export function connectUploads(options: ConnectUploadsOptions): UploadConnection {
  const { url } = checkedArgument("connectUploads", UploadsShape, options, "the first argument");
  return connectUploadsTo(new Endpoint(url, options, options), options);
}

/** `connectUploads` to an endpoint that is made already. */
export function connectUploadsTo(endpoint: Endpoint, options: HttpClientOptions): UploadConnection {
  const http = new HttpClient({ userAgent: USER_AGENT, ...options });
  return { uploads: new ExperimentUploads({ endpoint, http, onRetry: options.onRetry }), ...closing(http) };
}

/** The service that records runs, its credentials, and how requests are sent. */
export type ConnectTracingOptions = ConnectUploadsOptions;

/** The client of a service that records runs; close it once all runs are sent. */
export interface TracingConnection extends Closable {
  readonly tracing: Tracing;
  readonly clock: Clock;
}

/** Connects to a service that records runs, as `connect` does to a control plane. Throws ArgumentsError and AddressError. */
export function connectTracing(options: ConnectTracingOptions): TracingConnection {
  const { url } = checkedArgument("connectTracing", UploadsShape, options, "the first argument");
  return connectTracingTo(new Endpoint(url, options, options), options);
}

/** `connectTracing` to an endpoint that is made already. */
export function connectTracingTo(endpoint: Endpoint, options: HttpClientOptions): TracingConnection {
  const http = new HttpClient({ userAgent: USER_AGENT, ...options });
  return { tracing: new Tracing({ endpoint, http }), clock: http.clock, ...closing(http) };
}

/** The clients of one service: they share connections, credentials and the signal. */
export interface Connection extends Closable {
  readonly controlPlane: ControlPlane;
  /** A client of the agent server that the control plane has at this address; it gets the same credentials. */
  readonly agentServer: (url: string) => AgentServer;
}

/** Connects to a service; nothing is sent before the first operation. Throws ArgumentsError, and AddressError for an unusable address. */
export function connect(options: ConnectOptions): Connection {
  const { url } = checkedArgument("connect", ControlPlaneShape, options, "the first argument");
  return connectTo(new Endpoint(url, options, options), options);
}

/** `connect` to an endpoint that is made already. */
export function connectTo(
  endpoint: Endpoint,
  { fieldNames, ...options }: HttpClientOptions & Pick<ConnectOptions, "fieldNames">,
): Connection {
  const http = new HttpClient({ userAgent: USER_AGENT, ...options });
  return {
    controlPlane: new ControlPlane({ endpoint, http, fieldNames }),
    agentServer: (url) => {
      checkCall("agentServer", { url: [someText, url] });
      return new AgentServer({ endpoint: endpoint.agentServer(url), http });
    },
    ...closing(http),
  };
}

/** The client of an agent server; close it at the end. */
export interface AgentConnection extends Closable {
  readonly agentServer: AgentServer;
  /** Its address without credentials, for messages. */
  readonly url: string;
}

/** Connects to an agent server by its own address. */
export function connectAgentTo(endpoint: Endpoint, options: HttpClientOptions): AgentConnection {
  const http = new HttpClient({ userAgent: USER_AGENT, ...options });
  return { agentServer: new AgentServer({ endpoint, http }), url: printableUrl(endpoint.url), ...closing(http) };
}

function closing(http: HttpClient): Closable {
  const close = () => http.close();
  return { close, [Symbol.asyncDispose]: close };
}
