import type * as z from "zod";
import { abortSignal, anyObject, anyText, checkCall, someText, textsByName } from "../contract/call-arguments.ts";
import { DeploymentCreate, DeploymentPatch } from "../contract/deployment.ts";
import type { Deployment, LogKind, LogLine, Revision, UploadTarget } from "../contract/deployment.ts";
import type { FieldNames } from "../contract/field-names.ts";
import { CONTROL_PLANE } from "../contract/operations/control-plane.ts";
import { requestTo } from "../contract/operations/operation.ts";
import { checkSourceOfCreate, checkSourceOfPatch } from "../contract/source.ts";
import { toValidationErrors, type ValidationError } from "../contract/validation-error.ts";
import { callOptions, readOperation } from "../http/call-shapes.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { HttpClient } from "../http/http-client.ts";
import type { ApiRequest, CallOptions, JsonApi } from "../http/json-api.ts";
import { PAGE_SIZE, type ListOptions } from "../http/page-walk.ts";
import { createOnce, type CreateOutcome, patchOnce } from "./writes.ts";
import type { TimeLimit } from "../http/time-limit.ts";
import { InvalidRequestError } from "./errors.ts";
import { lastLogLines, allPages, newestFirst, checkedIds } from "./resources.ts";
import { retryPastLag, type Lag } from "./look-again.ts";
import { NameSearch, type DeploymentPage } from "./name-search.ts";
import { deploymentPage } from "../http/service-pages.ts";
import { isExpiredTarget, putFile, type UploadFile, type UploadOptions } from "./upload.ts";
import { deleteOptions, logKind, logOptions, patchContext, uploadFile, uploadOptions } from "./call-shapes.ts";
import type { DeleteOptions, LogOptions, PatchContext } from "./call-shapes.ts";
import { UploadUrls } from "./upload-urls.ts";

export interface ControlPlaneOptions {
  readonly endpoint: Endpoint;
  readonly http: HttpClient;
  /** How this service spells field names, where it differs from ours. */
  readonly fieldNames?: FieldNames | undefined;
}

/** The parts of a client that another one of the same service shares. */
interface Parts {
  readonly api: JsonApi;
  readonly http: HttpClient;
  readonly uploadUrls: UploadUrls;
  readonly limit: TimeLimit | undefined;
}

/**
 * The deployment control plane. Every operation throws the errors of a request: HttpStatusError, NetworkError,
 * TimeoutError, InvalidResponseError, RedirectError, and the reason of the signal. A request that breaks the rules of the
 * contract is not sent and throws InvalidRequestError.
 */
export class ControlPlane {
  readonly #api: JsonApi;
  readonly #http: HttpClient;
  readonly #uploadUrls: UploadUrls;
  readonly #limit: TimeLimit | undefined;

  constructor(options: ControlPlaneOptions | Parts) {
    const { http } = options;
    this.#http = http;
    this.#api = "api" in options ? options.api : http.api(options.endpoint, options.fieldNames);
    this.#uploadUrls = "api" in options ? options.uploadUrls : new UploadUrls(this.#api);
    this.#limit = "api" in options ? options.limit : undefined;
  }

  /** The same client, whose requests take no longer together than the limit; without one again for `undefined`. */
  within(limit: TimeLimit | undefined): ControlPlane {
    const api = this.#api.within(limit);
    return new ControlPlane({ api, http: this.#http, uploadUrls: this.#uploadUrls, limit });
  }

  /** The same client, whose requests this signal aborts, too. */
  until(signal: AbortSignal): ControlPlane {
    checkCall("until", { signal: [abortSignal, signal] });
    const api = this.#api.until(signal);
    return new ControlPlane({ api, http: this.#http, uploadUrls: this.#uploadUrls, limit: this.#limit });
  }

  /** The address without credentials, for messages. */
  get url(): URL {
    return this.#api.url;
  }

  /** The web page of a deployment, if its address is known. */
  pageOf(deployment: Deployment): string | undefined {
    checkCall("pageOf", { deployment: [anyObject, deployment] });
    return deploymentPage(this.url.href, deployment);
  }

  /**
   * Creates a deployment and its first revision, and never a second deployment of its name: an existing one is
   * returned, and `adopted` is true.
   * @throws InvalidRequestError before anything is sent; NameTakenError, CreateUncertainError, AmbiguousNameError; the
   *   errors of a request.
   * @idempotence Safe to call again: after a 409, and after a failure that leaves open whether it was carried out, the
   *   name is looked up before anything is sent again.
   * @contract Sections 2.3 and 4.1.
   */
  async create(body: DeploymentCreate, options: CallOptions = {}): Promise<CreateOutcome> {
    checkCall("create", { body: [anyObject, body], options: [callOptions, options] });
    const parsed = DeploymentCreate.safeParse(body);
    refuse("The new deployment", parsed.success ? checkSourceOfCreate(body) : toValidationErrors(parsed.error));
    for (const { value } of body.secrets) this.#http.redactor.add(value);
    return await createOnce(body, {
      api: this.#api,
      deadline: this.#http.deadline({ timeLimit: this.#limit, ...options }),
      search: (callOptions) => this.#search(callOptions),
    });
  }

  /**
   * One deployment, by its id.
   * @throws The errors of a request; HttpStatusError with 404 for an unknown id.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Sections 2.1 and 4.1.
   */
  async get(id: string, options: CallOptions = {}): Promise<Deployment> {
    checkCall("get", { id: [anyText, id], options: [callOptions, options] });
    const request = requestTo(CONTROL_PLANE.get, checkedIds({ deployment_id: id }));
    return await this.#api.request({ ...options, ...request, about: { id } });
  }

  /**
   * Every deployment, page by page, narrowed by the service's own query parameters.
   * @throws EndlessListError, the errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Not in the contract; as public services have it.
   */
  list(query: Readonly<Record<string, string>> = {}, options: ListOptions = {}): AsyncGenerator<Deployment> {
    checkCall("list", { query: [textsByName, query], options: [callOptions, options] });
    return this.#list(query, options, CONTROL_PLANE.list.reply);
  }

  /**
   * The deployment of exactly this name, as a read by its id shows it; undefined if a list shows that there is none.
   * @throws NoListError if no list shows whether there is one, AmbiguousNameError for several, ListMismatchError for a
   *   list that is wrong, EndlessListError; the errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Not in the contract; as public services have it.
   */
  async findByName(name: string, options: CallOptions = {}): Promise<Deployment | undefined> {
    checkCall("findByName", { name: [someText, name], options: [callOptions, options] });
    return await this.#search(options).one(name);
  }

  /**
   * The deployments of exactly this name as the list shows them, 20 at most.
   * @throws NoListError, EndlessListError, the errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Not in the contract; as public services have it.
   */
  async allOfName(name: string, options: CallOptions = {}): Promise<readonly Deployment[]> {
    checkCall("allOfName", { name: [someText, name], options: [callOptions, options] });
    return await this.#search(options).all(name);
  }

  /**
   * Updates a deployment, and returns it as it is then. An update with a source field creates exactly one revision,
   * even after a cut connection, and `latest_revision_id` of the result is that revision.
   * @throws InvalidRequestError before anything is sent; the errors of a request.
   * @idempotence After a failure that leaves open whether it was carried out, the deployment is compared with the
   *   request before anything is sent again. Another call with a source field makes another revision.
   * @contract Sections 2.3 and 4.1.
   */
  async patch(
    id: string,
    body: DeploymentPatch,
    context: PatchContext,
    options: CallOptions = {},
  ): Promise<Deployment> {
    const objects = { body: [anyObject, body], context: [patchContext, context] } as const;
    checkCall("patch", { id: [anyText, id], ...objects, options: [callOptions, options] });
    const parsed = DeploymentPatch.safeParse(body);
    const settings = {
      source: context.source,
      source_config: body.source_config,
      source_revision_config: body.source_revision_config,
      current: { source_config: context.sourceConfig, source_revision_config: context.sourceRevisionConfig },
    };
    refuse(
      `The update of deployment ${id}`,
      parsed.success ? checkSourceOfPatch(settings) : toValidationErrors(parsed.error),
    );
    for (const { value } of body.secrets ?? []) this.#http.redactor.add(value);
    const send = () =>
      patchOnce(id, body, context.latestRevisionId, {
        api: this.#api,
        deadline: this.#http.deadline({ timeLimit: this.#limit, ...options }),
        get: (deploymentId, callOptions) => this.get(deploymentId, callOptions),
        revisions: (deploymentId, callOptions) => this.revisions(deploymentId, callOptions),
      });
    return await this.#pastLag(send, context, options);
  }

  /**
   * Deletes a deployment. The service may take a while to finish. False if it answers 404: it does not have this
   * deployment, or not this operation.
   * @throws The errors of a request.
   * @idempotence Safe to call again: sent again after a failure that may pass.
   * @contract Not in the contract; as public services have it.
   */
  async delete(id: string, given: DeleteOptions = {}): Promise<boolean> {
    checkCall("delete", { id: [anyText, id], options: [deleteOptions, given] });
    const { deleteTracingProject, ...options } = given;
    const sent = deleteTracingProject === true ? { query: { delete_tracing_project: "true" } } : {};
    const request = requestTo(CONTROL_PLANE.delete, checkedIds({ deployment_id: id }), sent);
    return await this.#api.done({ ...options, ...request }, 404);
  }

  /**
   * One revision of a deployment, by both ids; its `status` is one of REVISION_STATUSES, or one that this version does
   * not know.
   * @throws The errors of a request; HttpStatusError with 404 for an unknown id, and with `violations` and 422 for an
   *   invalid one.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Sections 2.2, 3 and 4.1.
   */
  async revision(id: string, revisionId: string, options: CallOptions = {}): Promise<Revision> {
    checkCall("revision", { id: [anyText, id], revisionId: [anyText, revisionId], options: [callOptions, options] });
    const request = requestTo(CONTROL_PLANE.revision, checkedIds({ deployment_id: id, revision_id: revisionId }));
    return await this.#api.request({ ...options, ...request, about: { id: revisionId } });
  }

  /**
   * Every revision of a deployment, newest first, whichever way the service sorts them.
   * @throws EndlessListError, the errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Not in the contract; as public services have it.
   */
  revisions(id: string, options: ListOptions = {}): AsyncGenerator<Revision> {
    checkCall("revisions", { id: [anyText, id], options: [callOptions, options] });
    const all = requestTo(CONTROL_PLANE.revisions, checkedIds({ deployment_id: id }));
    const page = (offset: number) => ({ ...all, query: { limit: PAGE_SIZE, offset } });
    return newestFirst(
      { of: `revisions of deployment ${id}`, page },
      { api: this.#api, clock: this.#http.clock },
      options,
    );
  }

  /**
   * An address that a source tarball is uploaded to, and its object path, which `source_tarball_path` takes. The
   * address is a secret, and expires.
   * @throws The errors of a request.
   * @idempotence Each call asks for a new address; sent again after a failure that may pass.
   * @contract Section 4.1.
   */
  async uploadUrl(id: string, options: CallOptions = {}): Promise<UploadTarget> {
    checkCall("uploadUrl", { id: [anyText, id], options: [callOptions, options] });
    return await this.#uploadUrls.request(id, { timeLimit: this.#limit, ...options });
  }

  /**
   * Uploads a tarball for a deployment and returns its object path; renews an expired address once.
   * @throws The errors of a request.
   * @idempotence Each call uploads to a path of its own; the file is sent again after a failure that may pass.
   * @contract Sections 2.3 and 4.1.
   */
  async upload(id: string, file: UploadFile, options: UploadOptions = {}): Promise<string> {
    checkCall("upload", { id: [anyText, id], file: [uploadFile, file], options: [uploadOptions, options] });
    const target = await this.#pastLag(() => this.uploadUrl(id, options), options, options);
    const putOptions = { timeLimit: this.#limit, ...options };
    try {
      await putFile(file, { deploymentId: id, target }, this.#http, putOptions);
      return target.object_path;
    } catch (error) {
      if (!isExpiredTarget(error)) throw error;
    }
    const renewed = await this.uploadUrl(id, options);
    await putFile(file, { deploymentId: id, target: renewed }, this.#http, putOptions);
    return renewed.object_path;
  }

  /**
   * The last lines of a revision's build or deploy log, oldest first; undefined if the service has no logs.
   * @throws The errors of a request.
   * @idempotence A read: sent again after a failure that may pass.
   * @contract Not in the contract; as public services have it.
   */
  async logs(
    id: string,
    revisionId: string,
    kind: LogKind,
    given: LogOptions = {},
  ): Promise<readonly LogLine[] | undefined> {
    const ids = { id: [anyText, id], revisionId: [anyText, revisionId] } as const;
    checkCall("logs", { ...ids, kind: [logKind, kind], options: [logOptions, given] });
    const { limit = 30, ...options } = given;
    return await lastLogLines(this.#api, id, revisionId, kind, limit, options);
  }

  /**
   * Any other operation of the control plane, with a schema for its response.
   * @throws The errors of a request.
   * @idempotence A GET, HEAD, PUT or DELETE is sent again after a failure that may pass; a POST or PATCH only with
   *   `repeatable`, or if the server shows that it did not process it.
   * @contract Section 4.1, or an operation that the contract does not have.
   */
  async request<Schema extends z.ZodType>(request: ApiRequest<Schema>): Promise<z.output<Schema>> {
    checkCall("request", { request: [readOperation, request] });
    return await this.#api.request(request);
  }

  #search(options: CallOptions): NameSearch {
    const list = this.#list.bind(this);
    const get = (id: string): Promise<Deployment> => this.get(id, options);
    const { clock, signal } = this.#http;
    return new NameSearch({ list, get, clock }, { ...options, signal: options.signal ?? signal });
  }

  #list(query: Readonly<Record<string, string>>, options: ListOptions, schema: DeploymentPage) {
    const all = requestTo(CONTROL_PLANE.list, {});
    const page = (offset: number) => ({ ...all, schema, query: { ...query, limit: PAGE_SIZE, offset } });
    return allPages({ of: "deployments", page }, { api: this.#api, clock: this.#http.clock }, options);
  }

  async #pastLag<Result>(
    ask: () => Promise<Result>,
    { lagMilliseconds = 0 }: Lag,
    { signal = this.#http.signal, timeLimit = this.#limit }: CallOptions,
  ): Promise<Result> {
    const left = Math.min(lagMilliseconds, timeLimit?.forLooks() ?? lagMilliseconds);
    return await retryPastLag(ask, { lagMilliseconds: left, clock: this.#http.clock, signal });
  }
}

function refuse(what: string, violations: readonly ValidationError[]): void {
  if (violations.length > 0) throw new InvalidRequestError(what, violations);
}
