import { packSource, type SourceArchive } from "../source/archive/archive.ts";
import type { SourceTree } from "../source/tree/tree.ts";
import type { DeployDeps } from "./deps.ts";
import { checkDigest } from "./expected-digest.ts";
import type { Look } from "./look.ts";
import type { DirectorySource } from "./request.ts";

/** What a deploy will do; planning writes nothing. */
export interface Plan extends Look {
  /** The packed source; undefined for a source that is not uploaded. */
  readonly archive: SourceArchive | undefined;
}

/** Packs the source, if there is one to upload. Throws a PlanError for a source that is not the expected one. */
export async function makePlan(look: Look, deps: DeployDeps): Promise<Plan> {
  const { tree } = look;
  const { source } = look.request;
  const archive =
    tree !== undefined && source.source === "internal_source" ? await packInTurn(tree, source, deps) : undefined;
  try {
    checkDigest(look.request, archive?.digest);
  } catch (error) {
    await archive?.remove();
    throw error;
  }
  return { ...look, archive };
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
