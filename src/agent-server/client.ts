import * as z from "zod";
import { AgentServerInfo, Assistant } from "../contract/agent-server.ts";
import { FieldNames } from "../contract/field-names.ts";
import { parseAddress } from "../http/base-url.ts";
import { credentialHeaders, type Credentials } from "../http/credentials.ts";
import type { HttpClient } from "../http/http-client.ts";
import { JsonApi, type ApiRequest, type CallOptions } from "../http/json-api.ts";

const PAGE_SIZE = 100;

/** Where an agent server is, and who asks. */
export interface AgentServerOptions extends Credentials {
  /** Where the deployment answers. */
  readonly url: string;
  readonly http: HttpClient;
}

/** The agent server that a deployment exposes: service.md area C. Credentials go to its origin only. */
export class AgentServer {
  readonly #api: JsonApi;

  constructor({ url, http, ...credentials }: AgentServerOptions) {
    this.#api = new JsonApi({
      baseUrl: parseAddress(url, { allowHttp: http.allowHttp }),
      credentials: credentialHeaders(credentials, http.redactor),
      sender: http.sender,
      fieldNames: FieldNames.none,
      userAgent: http.userAgent,
      signal: http.signal,
    });
  }

  /** Resolves when the server says that it is well. */
  async ok(options: CallOptions = {}): Promise<void> {
    await this.#api.request({ ...options, method: "GET", path: "/ok", schema: z.looseObject({ ok: z.literal(true) }) });
  }

  async info(options: CallOptions = {}): Promise<AgentServerInfo> {
    return await this.#api.request({ ...options, method: "GET", path: "/info", schema: AgentServerInfo });
  }

  /** Every assistant whose metadata holds these values, page by page. */
  async *searchAssistants(
    metadata: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): AsyncGenerator<Assistant> {
    const seen = new Set<string>();
    for (let offset = 0; ;) {
      const page = await this.#api.request({
        ...options,
        method: "POST",
        path: "/assistants/search",
        body: { metadata, limit: PAGE_SIZE, offset },
        schema: z.array(Assistant),
        repeatable: true,
      });
      const fresh = page.filter(({ assistant_id }) => !seen.has(assistant_id));
      for (const assistant of fresh) {
        seen.add(assistant.assistant_id);
        yield assistant;
      }
      // Servers cap pages below what is asked for, and one that ignores the offset brings the same page again.
      if (fresh.length === 0) return;
      offset += page.length;
    }
  }

  /** Any other operation of the agent server, with a schema for its answer. */
  async request<Schema extends z.ZodType>(request: ApiRequest<Schema>): Promise<z.output<Schema>> {
    return await this.#api.request(request);
  }
}
