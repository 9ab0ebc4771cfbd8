import { checkSourceConfig } from "../contract/deployment.ts";
import { floatingImage, readImageReference } from "../contract/image.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import { checkSourceOfCreate, checkSourceOfPatch, type RevisionConfigInput, type Source } from "../contract/source.ts";
import { InvalidRequestError } from "../control-plane/errors.ts";
import { readSourceTree, type SourceTree } from "../source/tree/tree.ts";
import { readRecord, type RecordReading } from "./record.ts";
import { type DeployRequest, revisionConfigOf } from "./request.ts";
import type { TimedDeps } from "./deps.ts";
import { type Earlier, findEarlier } from "./rollback.ts";
import { planSmokeRun, type SmokePlan } from "./smoke-plan.ts";
import { checkUpdatable, lookUpTarget, mustStay, type Target } from "./target.ts";

/** What there is before a deploy: the source, the deployment, and what an earlier run left. */
export interface Look extends Target {
  readonly request: DeployRequest;
  readonly source: Source;
  /** The configuration of the new revision; the path of a new tarball comes with the upload. */
  readonly config: RevisionConfigInput;
  /** The revision to go back to; undefined for a source of today. */
  readonly earlier: Earlier | undefined;
  /** What would be packed; undefined for a source that is not uploaded. */
  readonly tree: SourceTree | undefined;
  /** The graphs that the agent must serve; undefined if the configuration file is not in our source. */
  readonly graphs: readonly GraphEntry[] | undefined;
  /** The smoke run of the new revision; undefined if none was requested. */
  readonly smokeRun: SmokePlan | undefined;
  /** The record of an earlier run; undefined if none was requested. */
  readonly record: RecordReading | undefined;
}

/** Reads the source and the deployment, and throws if they cannot work together; writes nothing. */
export async function lookAround(request: DeployRequest, deps: TimedDeps): Promise<Look> {
  const { source, sourceConfig } = request;
  const { emit, signal } = deps;
  const record = request.record === undefined ? undefined : readRecord(request.record);
  const tree =
    source.source === "internal_source"
      ? await readSourceTree({ ...source, ownFile: request.record, signal })
      : undefined;
  if (tree) emit({ type: "source-read", tree });
  for (const notice of tree?.notices ?? []) emit({ type: "warning", ...notice });
  const known = request.knownId === undefined ? record?.record?.deployment : { id: request.knownId, name: undefined };
  const target = await lookUpTarget(request, known, deps);
  const { existing } = target;
  if (source.source === "external_docker") {
    const { imageUri: image } = source;
    const { digest, tag } = readImageReference(image);
    const message = floatingImage(image);
    if (message !== undefined) emit({ type: "warning", code: "IMAGE_FLOATING", message });
    else if (digest === undefined && tag !== undefined) emit({ type: "image-tagged", image, tag });
  }
  let earlier: Earlier | undefined;
  let made: Pick<Look, "config" | "source">;
  if (source.source === "revision") {
    const deployment = mustStay(target);
    earlier = await findEarlier(source.revision, { deployment, record }, deps);
    made = earlier;
  } else {
    // The configuration file may lie deeper in the archive than in its directory.
    const config = { ...revisionConfigOf(source), ...(tree ? { graph_config_path: tree.graphConfigPath } : {}) };
    made = { source: source.source, config };
  }
  const { config } = made;
  if (existing) checkUpdatable(existing, made.source);
  const settings = { source: made.source, source_config: sourceConfig, source_revision_config: config };
  const violations = [
    ...checkSourceConfig(sourceConfig),
    ...(existing ? checkSourceOfPatch({ ...settings, current: existing }) : checkSourceOfCreate(settings)),
  ];
  if (violations.length > 0) {
    const what = existing ? `The update of deployment ${existing.id}` : "The new deployment";
    throw new InvalidRequestError(what, violations);
  }
  const smokeRun = planSmokeRun(request.smokeRun, tree?.graphs);
  return { ...target, request, source: made.source, config, earlier, tree, graphs: tree?.graphs, smokeRun, record };
}
