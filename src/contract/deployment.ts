import * as z from "zod";
import { spare } from "./spare.ts";
import { SOURCES, type RevisionConfigField, type RevisionConfigInput, type SourceConfigInput } from "./source.ts";
import { toValidationErrors, type ValidationError } from "./validation-error.ts";

// The wire objects of the control plane. What the service adds passes through, and so does a
// source or a status that this version does not know.
const text = z.string();
const spareText = spare(text);
// Null says no more than a key that is absent.
const givenText = spareText.transform((value) => value ?? undefined).optional();

/** What one revision is made from. */
export const SourceRevisionConfig = z.looseObject({
  repo_ref: spareText,
  graph_config_path: spareText,
  image_uri: spareText,
  source_tarball_path: spareText,
  repo_commit_sha: spareText,
} satisfies Readonly<Record<RevisionConfigField, z.ZodType>> & Readonly<Record<string, z.ZodType>>);
export type SourceRevisionConfig = z.infer<typeof SourceRevisionConfig>;

/** Settings of the source that outlive a revision; only the fields that this product reads are named. */
export const SourceConfig = z.looseObject({
  build_on_push: spare(z.boolean()),
  custom_url: spareText,
});
export type SourceConfig = z.infer<typeof SourceConfig>;

/** An environment variable of the agent; a service may leave the value out when it answers. */
const Secret = z.looseObject({ name: text, value: spareText });

/** What a create sends, each part in the form of a response. */
type Shown = Readonly<Record<keyof DeploymentCreate, z.ZodType>>;

/** A deployment; what it says of its configuration is that of the latest revision. */
export const Deployment = z.looseObject({
  /** Its id, a UUID. */
  id: text,
  /** What it is called. */
  name: givenText,
  /** Where its code comes from; it cannot change. */
  source: givenText,
  /** Null while a deployment has no revision yet. */
  latest_revision_id: text.nullish(),
  /** The revision that serves, where the service says so. */
  active_revision_id: spareText,
  /** Its workspace. */
  tenant_id: spareText,
  /** What the service says of the deployment as a whole. */
  status: spareText,
  /** The address of its agent server. */
  url: spareText,
  /** Settings of the source that outlive a revision. */
  source_config: spare(SourceConfig),
  /** What its latest revision is made from. */
  source_revision_config: spare(SourceRevisionConfig),
  /** The environment of the agent, with or without its values. */
  secrets: spare(z.array(Secret)),
  /** ISO 8601. */
  created_at: spareText,
  /** ISO 8601. */
  updated_at: spareText,
} satisfies Shown & Readonly<Record<string, z.ZodType>>);
export type Deployment = z.infer<typeof Deployment>;

/** A revision: one version of a deployment. Its status may be unknown. */
export const Revision = z.looseObject({
  id: text,
  status: text.nullish().transform((status) => status ?? "UNKNOWN"),
  source: givenText,
  created_at: spareText,
  updated_at: spareText,
  /** Why the status is what it is, where a service says so. */
  status_message: spareText,
  source_revision_config: spare(SourceRevisionConfig),
});
export type Revision = z.infer<typeof Revision>;

/** A revision in a list, in which it is looked for: its status is read by its id. */
export const ListedRevision = Revision.extend({ status: Revision.shape.status.catch("UNKNOWN") });

/** One page of a list. */
export function listPage<Element>(element: z.ZodType<Element>) {
  return z.looseObject({ resources: z.array(element) });
}

/** The answer of the upload-url endpoint. */
export const UploadTarget = z.looseObject({
  /** Absolute, or relative to the address of the control plane. */
  upload_url: text,
  object_path: text.min(1, "must not be empty"),
  /** Headers that the object store wants instead of ours. */
  upload_headers: z.record(z.string(), z.string()).nullish(),
});
export type UploadTarget = z.infer<typeof UploadTarget>;

/** A revision has a log of its build and one of its start. */
export const LOG_KINDS = ["build", "deploy"] as const;
/** One of the two. */
export type LogKind = (typeof LOG_KINDS)[number];

/** How much a line of a log matters, the least first. */
export const LOG_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line of a build or deploy log. */
export const LogLine = z.looseObject({
  id: spare(z.union([z.string(), z.number()])),
  /** ISO 8601, or milliseconds since the epoch. */
  timestamp: spare(z.union([z.string(), z.number()])),
  level: spareText,
  message: text,
});
export type LogLine = z.infer<typeof LogLine>;

/** One page of a log; a line that has no text is passed over. */
export const LogPage = z.looseObject({
  logs: z.array(LogLine.optional().catch(undefined)).transform((lines) => lines.filter((line) => line !== undefined)),
});

const settingText = z.string("must be text").nullable().optional();
const KnownSettings = z.looseObject({
  build_on_push: z.boolean("must be true or false, without quotes").nullable().optional(),
  custom_url: settingText,
  deployment_type: settingText,
  install_command: settingText,
  build_command: settingText,
});
const SourceConfigRequest: z.ZodType<SourceConfigInput> = KnownSettings;

const nullableText = z.string().nullable().optional();
const RevisionConfigRequest: z.ZodType<RevisionConfigInput> = z.looseObject({
  repo_ref: nullableText,
  graph_config_path: nullableText,
  image_uri: nullableText,
  source_tarball_path: nullableText,
} satisfies Readonly<Record<RevisionConfigField, z.ZodType>>);

/** An environment variable that a request sets. */
export const SecretInput = z.object({
  /** The name of the variable. */
  name: z.string().min(1),
  /** Its value, which no log and no error shows. */
  value: z.string(),
});
export type SecretInput = Readonly<z.infer<typeof SecretInput>>;
const Secrets: z.ZodType<readonly SecretInput[]> = z.array(SecretInput);

/**
 * What a create sends; the service answers with the deployment and makes its first revision. The source rules come on
 * top: `checkSourceOfCreate`.
 */
export const DeploymentCreate = z.object({
  /** What the deployment is called; a service takes a name once. */
  name: z.string().min(1),
  /** Where the code comes from; it cannot change later: section 2.2 of the contract. */
  source: z.enum(SOURCES),
  /** Settings of the source that outlive a revision; `{}` for none. */
  source_config: SourceConfigRequest,
  /** What the first revision is made from: section 2.3 of the contract. */
  source_revision_config: RevisionConfigRequest,
  /** The environment of the agent; `[]` for none. */
  secrets: Secrets,
});
export type DeploymentCreate = Readonly<z.infer<typeof DeploymentCreate>>;

/** What an update cannot change. */
export const FIXED_FIELDS = ["name", "source"] as const;
type Changeable = Exclude<keyof DeploymentCreate, (typeof FIXED_FIELDS)[number]>;

/**
 * What a partial update sends: only what changes. Present `secrets` replace all that are set. The source rules come on
 * top: `checkSourceOfPatch`.
 */
export const DeploymentPatch = z.object({
  /** Settings of the source to change. */
  source_config: SourceConfigRequest.nullish(),
  /** A field that is not null makes a new revision: section 2.3 of the contract. */
  source_revision_config: RevisionConfigRequest.nullish(),
  /** Replace all secrets of the deployment; left out, they stay. */
  secrets: Secrets.nullish(),
} satisfies Readonly<Record<Changeable, z.ZodType>>);
export type DeploymentPatch = Readonly<z.infer<typeof DeploymentPatch>>;

/** The settings of a source that this product knows; a service may take more. */
export const SOURCE_SETTINGS: readonly string[] = Object.keys(KnownSettings.shape);

/** Every setting of a source whose value is of another type than the service takes. */
export function checkSourceConfig(config: SourceConfigInput): readonly ValidationError[] {
  const parsed = SourceConfigRequest.safeParse(config);
  return parsed.success ? [] : toValidationErrors(parsed.error, "source_config");
}
