import { isRecord } from "../../../src/contract/call-arguments.ts";
import { hasFailed } from "../../../src/contract/revision-status.ts";
import { isSameId } from "../../../src/contract/uuid.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { differ, differAt, topKeys, withIgnoredSecrets } from "../state/changes.ts";
import { isRetained } from "./delete.ts";
import { INPUT_ROLES, OPTION_NAMES, type InputRole } from "../inputs/fields.ts";
import { removalsBetween, removalTexts } from "../state/removals.ts";
import { isSecretOfEnvChanged, type SecretsContext } from "../check/secrets.ts";
import { internalsOf, type Pending, type Removals, checkStateVersion } from "../state/internals.ts";
import { meaningful, textIn, type Properties } from "../state/state.ts";
import { fileChanges } from "../check/source-files.ts";
import { isObject } from "../state/unknown-values.ts";

/** What an update has to do: nothing, only note the inputs, see our revision through, or make a new one. */
export type UpdateWork = "none" | "note" | Pending;

export interface Difference {
  /** Never left open: for a diff that does not know, an engine compares inputs, and no drift is among them. */
  readonly changes: boolean;
  /** The inputs that make another deployment of it. */
  readonly replaces: readonly string[];
  /** Two deployments cannot have the same name at the same time. */
  readonly deleteBeforeReplace: boolean;
  readonly work: UpdateWork;
  /** The properties that differ: inputs, and outputs that are not as the last update left them. */
  readonly changed: readonly string[];
  /** Why, as sentences without values and without full stops. */
  readonly reasons: readonly string[];
}

/** What a comparison works with; it asks no service. A value that is not known yet counts as another one. */
export interface DiffContext extends SecretsContext {
  /** True when the deployment is at the address that the program names now, whatever that was before. */
  readonly isStillThere?: boolean;
}

// Of a directory only what it holds counts: where it lies is another place in every checkout. The digest decides that; the
// list of the files only shows where.
const INPUTS: readonly string[] = Object.keys(INPUT_ROLES).filter((key) => !["directory", "sourceFiles"].includes(key));
const ROLES: ReadonlyMap<string, InputRole> = new Map(Object.entries(INPUT_ROLES));

/** Compares the outputs of a deployment with its checked inputs. Throws StateVersionError for state of a later version. */
export async function diff(olds: Properties, news: Properties, context: DiffContext): Promise<Difference> {
  checkStateVersion(olds);
  const before = meaningful(olds);
  const after = withIgnoredSecrets(before, meaningful(news));
  const { adopted, pending, secretsFingerprint, shown = [] } = internalsOf(olds);
  const isMade = adopted !== true;
  const changed = INPUTS.filter((key) => isChanged(key, before, after, isMade));
  const isMoved = changed.includes("controlPlaneUrl") && context.isStillThere !== true;
  const replaces = replacedBy(changed, before, after, isMoved);
  const { secretsFromEnv, ignoreSecretChanges } = after;
  const ignored = Array.isArray(ignoreSecretChanges) ? ignoreSecretChanges.map(String) : [];
  const isOtherSecret =
    olds["secretsFromEnv"] != null &&
    isTexts(secretsFromEnv) &&
    (await isSecretOfEnvChanged(secretsFingerprint, { secretsFromEnv, ignoreSecretChanges: ignored }, context));
  const secretsOfEnv = isOtherSecret ? ["the value of a secret of the environment changed"] : [];
  const drift = driftOf(olds, { foreign: after["revisionDrift"] !== "ignore" });
  const removals = removalsBetween(olds, after);
  const revising = changed.filter((key) => roleOf(key, after, removals) === "revision");
  const isRevision = revising.length > 0 || secretsOfEnv.length > 0;
  const work =
    isRevision || drift.length > 0 || pending === "revision"
      ? "revision"
      : (pending ?? (changed.length > 0 ? "note" : "none"));
  const reasons = [
    ...changed
      .filter((key) => roleOf(key, after, removals) !== "local")
      .map((key) => {
        if (!shown.includes(key)) return reasonOf(key, before, after, isMoved);
        return key === "sourceHash" ? "the service has another archive" : `${key} differs in the service`;
      }),
    ...removalTexts(removals).map((text) => `${text} is no longer set and will be removed`),
    ...secretsOfEnv,
    ...drift,
    ...(pending === undefined ? [] : ["the last update did not finish"]),
  ];
  // Names at two services cannot clash, and what is live stays until there is another one.
  const deleteBeforeReplace = replaces.length > 0 && !changed.includes("name") && !isMoved;
  const isSameName = deleteBeforeReplace && !changed.includes("tenantId");
  // Whether a replacement leaves the deployment in the service: by its own input, or by Pulumi's option.
  if (isSameName && (isRetained(olds) || after["retainOnDelete"] === true))
    throw new RetainedNameError(String(after["name"]), replaces);
  const outputs = [
    ...(secretsOfEnv.length > 0 ? ["secretsFromEnv"] : []),
    ...(drift.length > 0 ? ["latestRevisionId"] : []),
    ...(pending === undefined ? [] : ["status"]),
    ...(changed.includes("sourceHash") && isRecord(before["sourceFiles"]) ? ["sourceFiles"] : []),
    ...(shown.includes("sourceTarballPath") ? ["sourceTarballPath"] : []),
  ];
  return {
    changes: work !== "none" || replaces.length > 0,
    replaces,
    deleteBeforeReplace,
    work,
    changed: [...new Set([...changed, ...outputs])],
    reasons,
  };
}

/** A replacement that cannot be made: the deployment is to stay, and its name with it. */
class RetainedNameError extends GraphDeployError {
  readonly code = "RETAINED_NAME";

  constructor(name: string, replaces: readonly string[]) {
    super(
      `${name}: another ${replaces.join(", ")} needs a new deployment, but the current one is retained and keeps its name.`,
      {
        advice:
          'Choose another `name`, or let the current deployment be deleted: set onDelete to "delete" (and retainOnDelete to ' +
          "false), run `pulumi up`, then make the change.",
      },
    );
  }
}

/**
 * What is different from what our last update left, as sentences without values; the state has it after a refresh.
 * Without `foreign` only what became of our own revision counts, as long as it is the latest.
 */
export function driftOf(state: Properties, { foreign }: { readonly foreign: boolean }): readonly string[] {
  const { latestRevisionId: latest, managedRevisionId: ours, status } = state;
  const { drift = [] } = internalsOf(state);
  if (typeof ours !== "string" || typeof latest !== "string") return foreign ? drift : [];
  const isForeign = !isSameId(latest, ours);
  if (isForeign && !foreign) return [];
  return [
    ...(isForeign ? [`revision ${latest} was made outside this program`] : []),
    ...(typeof status === "string" && hasFailed(status) ? [`revision ${ours} ended as ${status}`] : []),
    ...(foreign ? drift : []),
  ];
}

function roleOf(key: string, { secrets, secretsFromEnv }: Properties, removals: Removals): InputRole | undefined {
  // A program that says nothing of secrets leaves those of the deployment alone, but for those that it has set before.
  const isSecrets = key === "secrets" || key === "secretsFromEnv";
  const isSilent = secrets === undefined && secretsFromEnv === undefined && removals.secrets.length === 0;
  return isSecrets && isSilent ? "local" : ROLES.get(key);
}

function reasonOf(key: string, before: Properties, after: Properties, isMoved: boolean): string {
  if (key === "controlPlaneUrl" && !isMoved) return "controlPlaneUrl changed; it leads to the same deployment";
  if (key !== "sourceHash") return `${key} changed`;
  const now = textIn(after, "sourceSummary");
  // For a directory that is not known yet, both are the engine's mark.
  if (now === null || now === after["sourceHash"]) return "the source changed";
  // The summary in the state; one of an earlier version also says how many files had changed then.
  const was = textIn(before, "sourceSummary")?.replace(/, at least [\d,]+ changed$/, "") ?? now;
  const changes = fileChanges(before["sourceFiles"], after["sourceFiles"]);
  const files = changes === "" ? "" : `: ${changes}`;
  return `the source changed${files} (${now}${was === now ? "" : `; before: ${was}`})`;
}

function isChanged(key: string, before: Properties, after: Properties, isMade: boolean): boolean {
  // Which variable holds a secret is nothing that the service knows of: names and values are compared instead.
  if (key === "secretsFromEnv") return differ(namesOf(before[key]), namesOf(after[key]));
  const [old, now] = [before[key], after[key]];
  if (key === "tenantId" && typeof old === "string" && typeof now === "string") return !isSameId(old, now);
  // What was not adopted is deleted unless the program says otherwise.
  const usual = key === "onDelete" && isMade ? "delete" : undefined;
  return differ(old ?? usual, now ?? usual);
}

function namesOf(value: unknown): unknown {
  return isObject(value) ? Object.keys(value).sort() : (value ?? []);
}

/** The inputs of another deployment, and those that `replaceOnChanges` names and that changed. */
function replacedBy(
  changed: readonly string[],
  before: Properties,
  after: Properties,
  isMoved: boolean,
): readonly string[] {
  const { replaceOnChanges } = after;
  const paths = Array.isArray(replaceOnChanges) ? replaceOnChanges.filter((path) => typeof path === "string") : [];
  const asked = paths.flatMap((path) =>
    topKeys(path, changed).filter((key) => differAt({ [key]: before[key] }, { [key]: after[key] }, path)),
  );
  const identity = changed.filter((key) => ROLES.get(key) === "identity" && (key !== "controlPlaneUrl" || isMoved));
  // The option itself is not a property of the resource.
  return [...new Set([...identity, ...asked])].filter((key) => !OPTION_NAMES.has(key));
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((text) => typeof text === "string");
}
