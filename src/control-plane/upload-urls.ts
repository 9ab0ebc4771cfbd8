import type { UploadTarget } from "../contract/deployment.ts";
import { CONTROL_PLANE } from "../contract/operations/control-plane.ts";
import { requestTo } from "../contract/operations/operation.ts";
import { hostWithoutScheme, joinUrl } from "../http/base-url.ts";
import { hasStatus } from "../http/errors.ts";
import { findPath } from "../http/find-path.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import { checkedIds } from "./resources.ts";

// The documented path comes first.
const PREFIXES = ["", "/v2"] as const;
type Prefix = (typeof PREFIXES)[number];

// The contract does not show a body. The public service takes this field, and then names the headers that its store
// wants; a service that rejects what it does not know gets an empty object.
const BODIES = [{ supports_upload_headers: true }, {}] as const;
type RequestBody = (typeof BODIES)[number];

/** Requests upload addresses for tarballs. Remembers the path and the body to which the service has responded. */
export class UploadUrls {
  readonly #api: JsonApi;
  #prefixes: readonly Prefix[] = PREFIXES;
  #bodies: readonly RequestBody[] = BODIES;

  constructor(api: JsonApi) {
    this.#api = api;
  }

  async request(deploymentId: string, options: CallOptions): Promise<UploadTarget> {
    const ids = checkedIds({ deployment_id: deploymentId });
    const send = (prefix: Prefix, body: RequestBody) => {
      const request = requestTo(CONTROL_PLANE.uploadUrl, ids, { body });
      return this.#api.request({ ...options, ...request, path: prefix + request.path });
    };
    const ask = async (prefix: Prefix) => {
      const isElsewhere = (error: unknown) => hasStatus(error, 400, 422);
      const { path: body, result } = await findPath(this.#bodies, (tried) => send(prefix, tried), { isElsewhere });
      this.#bodies = [body];
      return result;
    };
    // A router that does not know the path may quote it, and so name the deployment too.
    const namesDeployment = (line: string) =>
      !line.includes("upload-url") && line.toLowerCase().includes(deploymentId.toLowerCase());
    const { path, result } = await findPath(this.#prefixes, ask, {
      isElsewhere: (error) => hasStatus(error, 404, 405) && !error.details.some(namesDeployment),
    });
    this.#prefixes = [path];
    return { ...result, upload_url: this.#resolved(result.upload_url) };
  }

  /** As a path on a page below the control plane; a host without a scheme stays as it is, and is refused later. */
  #resolved(address: string): string {
    const isHost = !/^[./?]/.test(address) && hostWithoutScheme(address) !== undefined;
    if (URL.canParse(address) || isHost || address.trim() === "") return address;
    const base = joinUrl(this.#api.url, "/").href;
    return URL.canParse(address, base) ? new URL(address, base).href : address;
  }
}
