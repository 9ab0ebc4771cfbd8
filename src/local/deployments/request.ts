import { isRecord } from "../../contract/call-arguments.ts";
import type * as z from "zod";
import {
  Deployment,
  DeploymentCreate,
  DeploymentPatch,
  FIXED_FIELDS,
  SourceRevisionConfig,
} from "../../contract/deployment.ts";
import {
  REVISION_CONFIG_FIELDS,
  SOURCE_RULES,
  checkSourceOfCreate,
  checkSourceOfPatch,
  type Edition,
} from "../../contract/source.ts";
import { toValidationErrors, type ValidationError } from "../../contract/validation-error.ts";
import type { DeploymentRow } from "../state/deployment-store.ts";
import type { RevisionConfig } from "../state/revision-store.ts";
import { extraFields, invalid } from "../http/error.ts";

export interface RequestRules {
  /** Also accept what public clients send beyond the contract. */
  readonly compat: boolean;
  /** Offer only the sources of this edition; all if absent. */
  readonly edition: Edition | undefined;
}

// A create strips what it does not know; of a partial update, more is looked at.
const Patch = DeploymentPatch.loose();
/** The body of a partial update, with a valid shape. */
export type PatchBody = z.infer<typeof Patch>;

const FIELDS: ReadonlySet<string> = new Set(Object.keys(DeploymentCreate.shape));
const CONFIG_FIELDS: ReadonlySet<string> = new Set(REVISION_CONFIG_FIELDS);

/** Fields that only the service sets: those that it answers with beyond what a client sets. */
const READ_ONLY: ReadonlySet<string | number> = new Set(
  [Deployment, SourceRevisionConfig]
    .flatMap(({ shape }) => Object.keys(shape))
    .filter((name) => !FIELDS.has(name) && !CONFIG_FIELDS.has(name)),
);

/** Reads the body of a create; 422 with every violated rule. */
export function readCreate(body: unknown, rules: RequestRules): DeploymentCreate {
  const request = readShape(DeploymentCreate, body, rules);
  const broken = checkSourceOfCreate(request).filter(({ type }) => !(rules.compat && type === "missing"));
  const { edition } = rules;
  throwIfAny([
    ...(edition === undefined || SOURCE_RULES[request.source].editions.includes(edition)
      ? []
      : [invalidField(["source"], `${request.source} is not available on a ${edition} service`)]),
    ...checkNames(body, rules),
    ...broken,
  ]);
  return request;
}

/** Reads the body of a partial update. `checkPatch` compares it with the deployment. */
export function readPatch(body: unknown, rules: RequestRules): PatchBody {
  const request = readShape(Patch, body, rules);
  throwIfAny(checkNames(body, rules));
  return request;
}

/** The deployment that an update is of. */
interface Patched {
  readonly deployment: DeploymentRow;
  /** The configuration of its latest revision. */
  readonly config: RevisionConfig | undefined;
  readonly isUploaded: (objectPath: string) => boolean;
}

/** 422 with every rule that the update violates for this deployment. */
export function checkPatch(request: PatchBody, { deployment, config, isUploaded }: Patched): void {
  const { source } = deployment;
  const { source_config, source_revision_config } = request;
  // The service knows all of it: what is not stored is not set.
  const current = {
    source_config: { ...deployment.source_config, build_on_push: deployment.source_config["build_on_push"] ?? null },
    source_revision_config: config,
  };
  const path = source_revision_config?.source_tarball_path;
  const unknownPath = source === "internal_source" && path != null && path !== "" && !isUploaded(path);
  throwIfAny([
    ...FIXED_FIELDS.filter((field) => request[field] !== undefined && request[field] !== deployment[field]).map(
      (field) => invalidField([field], `cannot be changed: it is ${deployment[field]}`),
    ),
    ...checkSourceOfPatch({ source, source_config, source_revision_config, current }),
    ...(unknownPath
      ? [
          invalidField(
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

function checkNames(body: unknown, { compat }: RequestRules): readonly ValidationError[] {
  if (compat) return [];
  const config = isRecord(body) ? body["source_revision_config"] : undefined;
  const extra = [...extraFields(body, FIELDS, []), ...extraFields(config, CONFIG_FIELDS, ["source_revision_config"])];
  return extra.map((fault) =>
    READ_ONLY.has(fault.loc.at(-1) ?? "") ? { ...fault, msg: "is read-only", type: "read_only" } : fault,
  );
}

function invalidField(loc: readonly string[], msg: string): ValidationError {
  return { loc, msg, type: "value_error" };
}

function throwIfAny(errors: readonly ValidationError[]): void {
  if (errors.length > 0) throw invalid(inBody(errors));
}

// As the service does: the part of the request first.
function inBody(errors: readonly ValidationError[]): readonly ValidationError[] {
  return errors.map((error) => ({ ...error, loc: ["body", ...error.loc] }));
}
