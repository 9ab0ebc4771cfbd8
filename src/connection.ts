import { AgentServer } from "./agent-server/client.ts";
import type { FieldNames } from "./contract/field-names.ts";
import { ControlPlane } from "./control-plane/client.ts";
import type { Credentials } from "./http/credentials.ts";
import { HttpClient, type HttpClientOptions } from "./http/http-client.ts";
import { VERSION } from "./version.ts";

/** Which service, who asks, and how requests travel. */
export interface ConnectOptions extends Credentials, HttpClientOptions {
  /** Where the control plane is, with its path prefix if it has one. */
  readonly url: string;
  /** How this service spells names, where it differs from service.md. */
  readonly fieldNames?: FieldNames | undefined;
}

/** The clients of one service: they share connections, credentials and the signal. */
export interface Connection extends AsyncDisposable {
  readonly controlPlane: ControlPlane;
  /** A client of the agent server at this address; it gets the same credentials. */
  readonly agentServer: (url: string) => AgentServer;
}

/** Connects to a service; nothing is sent before the first operation. Throws AddressError for an unusable address. */
export function connect(options: ConnectOptions): Connection {
  const { url, fieldNames, apiKey, bearerToken, tenantId } = options;
  const http = new HttpClient({ userAgent: `graph-deploy/${VERSION}`, ...options });
  return {
    controlPlane: new ControlPlane({ url, http, fieldNames, apiKey, bearerToken, tenantId }),
    // An agent server knows no workspaces: service.md §5, area C.
    agentServer: (agentUrl) => new AgentServer({ url: agentUrl, http, apiKey, bearerToken }),
    [Symbol.asyncDispose]: () => http.close(),
  };
}
