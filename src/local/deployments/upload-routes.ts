import type { Deployments } from "./deployments.ts";
import type { Faults } from "../faults/faults.ts";
import type { HttpAnswer } from "../http/response.ts";
import type { HttpCall } from "../http/call.ts";
import { UPLOAD_LIMIT_BYTES, type ObjectStore } from "../state/object-store.ts";
import { Refusal } from "../http/error.ts";
import { param, type PathParams, type Route } from "../http/router.ts";

/** What an upload URL is made from. */
export interface UploadOptions {
  readonly deployments: Deployments;
  readonly objects: ObjectStore;
  readonly faults: Faults;
  /** The service's own URL, known once it listens. */
  readonly url: () => string;
}

/** The upload-url endpoint, and its twin where the public clients look for it. */
export function uploadRoutes(options: UploadOptions): readonly Route[] {
  return ["", "/v2"].map((prefix) => ({
    method: "POST",
    path: `${prefix}/deployments/:deployment_id/upload-url`,
    answer: (call: HttpCall, params: PathParams) => issue(call, param(params, "deployment_id"), options),
  }));
}

const OBJECTS = "/objects/";

/** True for the addresses of the object store, whose URLs are signed and need no key. */
export function isObjectPath(path: string): boolean {
  return path.startsWith(OBJECTS);
}

/** Takes an upload to such an address. */
export async function receiveObject(call: HttpCall, path: string, objects: ObjectStore): Promise<HttpAnswer> {
  if (call.method !== "PUT") throw new Refusal(405, "Method Not Allowed", { allow: "PUT" });
  await objects.receive(path.slice(OBJECTS.length), call.query, call.headers, call.body(UPLOAD_LIMIT_BYTES));
  return { status: 200 };
}

async function issue(call: HttpCall, deploymentId: string, options: UploadOptions): Promise<HttpAnswer> {
  await call.json();
  const { source } = options.deployments.row(deploymentId);
  if (source !== "internal_source") {
    throw new Refusal(400, `Upload URLs are only available for internal_source deployments; this one is ${source}.`);
  }
  const { uploadHeaders } = options.faults.conditions;
  const { objectPath, target } = options.objects.issue(deploymentId, uploadHeaders);
  const headers = uploadHeaders === undefined ? {} : { upload_headers: uploadHeaders };
  return { status: 200, json: { upload_url: options.url() + target, object_path: objectPath, ...headers } };
}
