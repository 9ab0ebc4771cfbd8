import { isDeepStrictEqual } from "node:util";
import type { Deployment, DeploymentCreate, DeploymentPatch } from "../contract/deployment.ts";
import type { SourceConfigInput } from "../contract/source.ts";
import { packSource, type SourceArchive } from "../source/archive/archive.ts";
import type { SourceTree } from "../source/tree/tree.ts";
import type { DeployDeps } from "./deps.ts";
import type { Look } from "./look.ts";
import type { DirectorySource } from "./request.ts";

/** What a deploy will do; making it wrote nothing. */
export interface Plan extends Look {
  /** The packed source; undefined for a source that is not uploaded. */
  readonly archive: SourceArchive | undefined;
}

/** Packs what there is to upload. */
export async function makePlan(look: Look, deps: DeployDeps): Promise<Plan> {
  const { tree } = look;
  const { source } = look.request;
  const archive =
    tree !== undefined && source.source === "internal_source" ? await packInTurn(tree, source, deps) : undefined;
  return { ...look, archive };
}

/** The request that creates the deployment. */
export function createBody({ request, name, config }: Plan): DeploymentCreate {
  return {
    name,
    source: request.source.source,
    source_config: request.sourceConfig,
    source_revision_config: config,
    secrets: request.secrets ?? [],
  };
}

/** Only what changes, and the field that makes a revision of this source. A deployment that was just created has the secrets. */
export function patchBody(
  { request, config }: Look,
  current: Deployment,
  { tarballPath, created }: { readonly tarballPath: string | undefined; readonly created: boolean },
): DeploymentPatch {
  const known = current.source_revision_config?.graph_config_path;
  const { graph_config_path, ...rest } = config;
  const sourceConfig = changedSettings(request.sourceConfig, current);
  return {
    source_revision_config: {
      ...rest,
      ...(graph_config_path === undefined || graph_config_path === known ? {} : { graph_config_path }),
      ...(tarballPath === undefined ? {} : { source_tarball_path: tarballPath }),
    },
    ...(Object.keys(sourceConfig).length === 0 ? {} : { source_config: sourceConfig }),
    ...(request.secrets === undefined || created ? {} : { secrets: request.secrets }),
  };
}

/** The settings that the deployment does not have as they are wanted. */
export function changedSettings(wanted: SourceConfigInput, { source_config }: Deployment): SourceConfigInput {
  // Own keys only, whatever a setting is called; one that is null is one that the deployment does not have.
  const known = new Map(Object.entries(source_config ?? {}));
  const changed = Object.entries(wanted).filter(
    ([key, value]) => !isDeepStrictEqual(value ?? null, known.get(key) ?? null),
  );
  return Object.fromEntries(changed);
}

async function packInTurn(tree: SourceTree, source: DirectorySource, deps: DeployDeps): Promise<SourceArchive> {
  const work = () => pack(tree, source, deps);
  return await (deps.packing === undefined ? work() : deps.packing.take(work));
}

async function pack(tree: SourceTree, { maxBytes }: DirectorySource, deps: DeployDeps): Promise<SourceArchive> {
  const options = { spoolDirectory: deps.spoolDirectory, maxBytes, signal: deps.signal };
  const start = deps.clock.now();
  const archive = await packSource(tree, options);
  const milliseconds = deps.clock.now() - start;
  deps.emit({ type: "source-packed", archive, milliseconds });
  deps.emit({ type: "step-ended", step: "source", milliseconds });
  return archive;
}
