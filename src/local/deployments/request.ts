import type * as z from "zod";
import { DeploymentCreateRequest, DeploymentPatchRequest } from "../../contract/deployment.ts";
import {
  REVISION_CONFIG_FIELDS,
  SOURCE_RULES,
  checkSourceOfCreate,
  checkSourceOfPatch,
  type Edition,
} from "../../contract/source.ts";
import { toValidationErrors, type ValidationError } from "../../contract/validation-error.ts";
import type { DeploymentRow } from "../state/deployment-store.ts";
import { invalid } from "../http/error.ts";

/** How strict the service is. */
export interface RequestRules {
  /** Also accept what the public clients send and the service does not document. */
  readonly compat: boolean;
  /** The service offers only the sources of this edition; all of them when absent. */
  readonly edition?: Edition | undefined;
}

/** The body of a create, once its shape is known to be right. */
export type CreateBody = z.infer<typeof DeploymentCreateRequest>;
/** The body of a partial update, once its shape is known to be right. */
export type PatchBody = z.infer<typeof DeploymentPatchRequest>;

const FIELDS = ["name", "source", "source_config", "source_revision_config", "secrets"];

/** What the service says and nobody else. */
const READ_ONLY: ReadonlySet<string> = new Set([
  "id",
  "tenant_id",
  "created_at",
  "updated_at",
  "status",
  "latest_revision_id",
  "active_revision_id",
  "url",
  "repo_commit_sha",
]);

/** The body of a create; throws a refusal with every rule that it breaks. */
export function readCreate(body: unknown, rules: RequestRules): CreateBody {
  const request = readShape(DeploymentCreateRequest, body, rules);
  const broken = checkSourceOfCreate(request).filter(({ type }) => !(rules.compat && type === "missing"));
  refuse([...checkEdition(request, rules), ...checkNames(body, rules), ...broken]);
  return request;
}

/** The body of a partial update, apart from what it says about the deployment: `checkPatch`. */
export function readPatch(body: unknown, rules: RequestRules): PatchBody {
  const request = readShape(DeploymentPatchRequest, body, rules);
  refuse(checkNames(body, rules));
  return request;
}

/** Throws a refusal with every rule that the update of this deployment breaks. */
export function checkPatch(
  request: PatchBody,
  deployment: DeploymentRow,
  isUploaded: (objectPath: string) => boolean,
): void {
  const { source } = deployment;
  const { source_revision_config } = request;
  const source_config = { ...deployment.source_config, ...request.source_config };
  const path = source_revision_config?.source_tarball_path;
  const unknownPath = source === "internal_source" && path != null && path !== "" && !isUploaded(path);
  refuse([
    ...checkUnchanged(request, deployment),
    ...checkSourceOfPatch({ source, source_config, source_revision_config }),
    ...(unknownPath
      ? [
          fault(
            ["source_revision_config", "source_tarball_path"],
            "must come from the upload-url endpoint, and be uploaded",
          ),
        ]
      : []),
  ]);
}

function readShape<Schema extends z.ZodType>(schema: Schema, body: unknown, rules: RequestRules): z.infer<Schema> {
  const parsed = schema.safeParse(body, {
    error: (issue) => (issue.input === undefined ? "Field required" : undefined),
  });
  if (parsed.success) return parsed.data;
  const errors = toValidationErrors(parsed.error).map((error) =>
    error.msg === "Field required" ? { ...error, type: "missing" } : error,
  );
  throw invalid(inBody([...errors, ...checkNames(body, rules)]));
}

function checkEdition({ source }: CreateBody, { edition }: RequestRules): readonly ValidationError[] {
  if (edition === undefined || SOURCE_RULES[source].editions.includes(edition)) return [];
  return [fault(["source"], `${source} is not available on a ${edition} service`)];
}

// A deployment is what it is from the start.
function checkUnchanged(request: PatchBody, deployment: DeploymentRow): readonly ValidationError[] {
  return (["name", "source"] as const)
    .filter((field) => request[field] !== undefined && request[field] !== deployment[field])
    .map((field) => fault([field], `cannot be changed: it is ${deployment[field]}`));
}

function checkNames(body: unknown, { compat }: RequestRules): readonly ValidationError[] {
  if (compat || !isObject(body)) return [];
  const config = body["source_revision_config"];
  return [
    ...unknownNames(body, FIELDS, []),
    ...(isObject(config) ? unknownNames(config, REVISION_CONFIG_FIELDS, ["source_revision_config"]) : []),
  ];
}

function unknownNames(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  loc: readonly string[],
): readonly ValidationError[] {
  return Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) =>
      READ_ONLY.has(name)
        ? fault([...loc, name], "is read-only", "read_only")
        : fault([...loc, name], "Extra inputs are not permitted", "extra_forbidden"),
    );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fault(loc: readonly string[], msg: string, type = "value_error"): ValidationError {
  return { loc, msg, type };
}

function refuse(errors: readonly ValidationError[]): void {
  if (errors.length > 0) throw invalid(inBody(errors));
}

// As the service words it: the part of the request first.
function inBody(errors: readonly ValidationError[]): readonly ValidationError[] {
  return errors.map((error) => ({ ...error, loc: ["body", ...error.loc] }));
}
