import type { ValidationError } from "./validation-error.ts";

/** Where the code of a deployment comes from; it cannot change after creation. */
export const SOURCES = ["github", "external_docker", "internal_docker", "internal_source"] as const;
/** One of the four sources. */
export type Source = (typeof SOURCES)[number];

/** The editions of the service, which offer different sources. */
export const EDITIONS = ["cloud", "self-hosted"] as const;
/** One of the editions. */
export type Edition = (typeof EDITIONS)[number];

/** The fields of a source revision config that a request may set. */
export const REVISION_CONFIG_FIELDS = ["repo_ref", "graph_config_path", "image_uri", "source_tarball_path"] as const;
/** One of the fields of a source revision config. */
export type RevisionConfigField = (typeof REVISION_CONFIG_FIELDS)[number];

interface SourceRule {
  /** The editions of the service that offer this source. */
  readonly editions: readonly Edition[];
  /** The configuration that belongs to this source; each other field must be null. */
  readonly fields: readonly RevisionConfigField[];
  readonly requiredOnCreate: readonly RevisionConfigField[];
}

/** The sources and their fields as one table: the client, the action and the local service all follow it. */
export const SOURCE_RULES: Readonly<Record<Source, SourceRule>> = {
  github: {
    editions: ["cloud"],
    fields: ["repo_ref", "graph_config_path"],
    requiredOnCreate: ["graph_config_path"],
  },
  external_docker: { editions: ["self-hosted"], fields: ["image_uri"], requiredOnCreate: [] },
  internal_docker: { editions: EDITIONS, fields: [], requiredOnCreate: [] },
  internal_source: {
    editions: EDITIONS,
    fields: ["graph_config_path", "source_tarball_path"],
    requiredOnCreate: ["graph_config_path"],
  },
};

/** A source revision config as a request sends it. */
export type RevisionConfigInput = Readonly<Partial<Record<RevisionConfigField, string | null | undefined>>>;
/** Settings of a source that outlive a revision, as a request sends them. */
export type SourceConfigInput = Readonly<Record<string, unknown>>;

/** The parts of a deployment that the source rules speak of. */
export interface SourceSettings {
  readonly source: Source;
  readonly source_config?: SourceConfigInput | null | undefined;
  readonly source_revision_config?: RevisionConfigInput | null | undefined;
}

/** True for one of the four sources. */
export function isSource(value: string): value is Source {
  return Object.hasOwn(SOURCE_RULES, value);
}

/** Every rule that a create request breaks. */
export function checkSourceOfCreate(settings: SourceSettings): readonly ValidationError[] {
  const config = settings.source_revision_config ?? {};
  const missing = SOURCE_RULES[settings.source].requiredOnCreate
    .filter((field) => config[field] == null)
    .map((field) => violation(field, `is required when the source is ${settings.source}`, "missing"));
  const tarball =
    settings.source === "internal_source" && config.source_tarball_path != null
      ? [
          violation(
            "source_tarball_path",
            "must be null on create: its path comes from the upload-url endpoint of the deployment",
          ),
        ]
      : [];
  // A new deployment has nothing yet: what is not sent is not set.
  const push = settings.source_config?.["build_on_push"] ?? null;
  return [...missing, ...tarball, ...checkFields(settings), ...checkTag(settings.source, config.repo_ref, push)];
}

/** A partial update makes a new revision when one of these fields is not null. */
export function makesRevision(config: RevisionConfigInput | null | undefined): boolean {
  return REVISION_CONFIG_FIELDS.some((field) => config?.[field] != null);
}

/** True when a revision holds each field that was asked for. */
export function matchesConfig(
  actual: RevisionConfigInput | null | undefined,
  asked: RevisionConfigInput | undefined,
): boolean {
  return REVISION_CONFIG_FIELDS.every((field) => asked?.[field] == null || asked[field] === actual?.[field]);
}

/** A partial update of a deployment, with what the deployment has. */
export interface PatchSettings extends SourceSettings {
  /**
   * What the deployment has, as far as it is known: a setting that is null is not set, and one that is left out is not
   * known.
   */
  readonly current?: Omit<SourceSettings, "source">;
}

/**
 * Every rule that a partial update of a deployment breaks. The rule about tags speaks of two fields; one that is not sent
 * has the value of the deployment, and one whose value is not known breaks no rule.
 */
export function checkSourceOfPatch({ current, ...sent }: PatchSettings): readonly ValidationError[] {
  const { source, source_config, source_revision_config } = sent;
  const [ref, push] = [source_revision_config?.repo_ref ?? undefined, source_config?.["build_on_push"]];
  const isAboutTag = ref !== undefined || push !== undefined;
  const known = {
    ref: ref ?? current?.source_revision_config?.repo_ref,
    push: push === undefined ? current?.source_config?.["build_on_push"] : push,
  };
  return [...checkFields(sent), ...(isAboutTag ? checkTag(source, known.ref, known.push) : [])];
}

function checkFields({ source, source_revision_config }: SourceSettings): readonly ValidationError[] {
  const config = source_revision_config ?? {};
  const { fields } = SOURCE_RULES[source];
  const foreign = REVISION_CONFIG_FIELDS.filter((field) => config[field] != null && !fields.includes(field)).map(
    (field) => violation(field, `must be null when the source is ${source}`),
  );
  const empty = fields.filter((field) => config[field] === "").map((field) => violation(field, "must not be empty"));
  const branch = source === "github" ? /^refs\/heads\/(.*)$/s.exec(config.repo_ref ?? "")?.[1] : undefined;
  const full = branch === undefined ? [] : [violation("repo_ref", `must be the bare name of the branch: ${branch}`)];
  return [...foreign, ...empty, ...full];
}

/** `buildOnPush`: null if it is not set, which means true; undefined if it is not known. */
function checkTag(source: Source, repoRef: string | null | undefined, buildOnPush: unknown): ValidationError[] {
  // The type check rejects a value that is not a boolean.
  const pushes = buildOnPush === true || buildOnPush === null;
  if (source !== "github" || repoRef == null || !repoRef.startsWith("refs/tags/") || !pushes) return [];
  return [
    {
      loc: ["source_config", "build_on_push"],
      msg: "must be false when repo_ref is a tag, because tags are immutable",
      type: "value_error",
    },
  ];
}

function violation(field: RevisionConfigField, msg: string, type = "value_error"): ValidationError {
  return { loc: ["source_revision_config", field], msg, type };
}
