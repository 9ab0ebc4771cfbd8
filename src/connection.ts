import * as z from "zod";
import { AgentServer } from "./agent-server/client.ts";
import {
  abortSignal,
  anyText,
  checkCall,
  checkedArgument,
  flag,
  functionOf,
  objectWith,
  type ShapesOf,
  someText,
} from "./contract/call-arguments.ts";
import { fieldNamesShape, type FieldNames } from "./contract/field-names.ts";
import { ControlPlane } from "./control-plane/client.ts";
import { ExperimentUploads } from "./experiment-upload/client.ts";
import { printableUrl } from "./http/base-url.ts";
import { clockShape } from "./http/call-shapes.ts";
import { certificatesIn } from "./http/certificates.ts";
import type { Clock } from "./http/clock.ts";
import { Endpoint, type Credentials } from "./http/endpoint.ts";
import { HttpClient, type HttpClientOptions } from "./http/http-client.ts";
import { proxyFault } from "./http/proxy-settings.ts";
import type { Redactor } from "./http/redactor.ts";
import { Tracing } from "./tracing/client/client.ts";
import { VERSION } from "./version.ts";

const USER_AGENT = `graph-deploy/${VERSION}`;

/** The service, its credentials, and how requests are sent. */
export interface ConnectOptions extends Credentials, HttpClientOptions {
  /** Where the control plane is, with its path prefix if it has one. */
  readonly url: string | undefined;
  /** How this service spells field names, where it differs from ours. */
  readonly fieldNames?: FieldNames | undefined;
}

/** The service that accepts experiments, its credentials, and how requests are sent. */
export interface ConnectUploadsOptions extends Credentials, HttpClientOptions {
  /** Where the service is, with or without `/api/v1`. */
  readonly url: string | undefined;
}

const proxyUrl = z
  .string("must be a text")
  .superRefine((url, context) => {
    const fault = url === "" ? "" : proxyFault(url);
    if (fault !== "") context.addIssue({ code: "custom", message: fault });
  })
  .exactOptional();
const proxy = z.strictObject(
  { http: proxyUrl, https: proxyUrl, except: z.string("must be a text").exactOptional() },
  "must be an object with http, https or except",
);
const certificate = someText.superRefine((text, context) => {
  const read = certificatesIn(text, "it");
  if (!read.ok) context.addIssue({ code: "custom", message: `is not one: ${read.fault}` });
});

/** The shapes of the connection to a service that accepts experiments or runs, without its address. */
export const SERVICE_SHAPES = {
  apiKey: someText.optional(),
  bearerToken: someText.optional(),
  tenantId: someText.optional(),
  allowHttp: flag.optional(),
  caCertificate: certificate.optional(),
  proxy: proxy.optional(),
  lookup: functionOf<NonNullable<HttpClientOptions["lookup"]>>().optional(),
  clock: clockShape.optional(),
  random: functionOf<() => number>().optional(),
  redactor: objectWith<Redactor>(["add", "text"], "a Redactor").optional(),
  onRetry: functionOf<NonNullable<HttpClientOptions["onRetry"]>>().optional(),
  signal: abortSignal.optional(),
  userAgent: someText.optional(),
} satisfies ShapesOf<Omit<ConnectUploadsOptions, "url">>;
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
