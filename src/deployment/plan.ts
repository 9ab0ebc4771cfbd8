import { readImageReference } from "../contract/image.ts";
import type { SourceArchive } from "../source/archive/archive.ts";
import type { SourceTree } from "../source/tree/tree.ts";
import type { TimedDeps } from "./deps.ts";
import { PlanError } from "./errors.ts";
import type { Look } from "./look.ts";
import type { DeployRequest, DirectorySource } from "./request.ts";

/** What a deploy will do; planning writes nothing. */
export interface Plan extends Look {
  /** The packed source; undefined for a source that is not uploaded. */
  readonly archive: SourceArchive | undefined;
}

/**
 * Packs the source, if there is one to upload, and no `known` revision of it. Throws a PlanError for a source that is not the
 * expected one.
 */
export async function makePlan(
  look: Look,
  known: { readonly digest: string } | undefined,
  deps: TimedDeps,
): Promise<Plan> {
  const { tree } = look;
  const { source } = look.request;
  const archive =
    !known && tree && source.source === "internal_source" ? await packInTurn(tree, source, deps) : undefined;
  try {
    checkDigest(look.request, (known ?? archive)?.digest);
  } catch (error) {
    await archive?.remove();
    throw error;
  }
  return { ...look, archive };
}

async function packInTurn(tree: SourceTree, source: DirectorySource, deps: TimedDeps): Promise<SourceArchive> {
  const work = async () => {
    const { maxBytes } = source;
    const options = { spoolDirectory: deps.spoolDirectory, maxBytes, signal: deps.signal };
    const start = deps.clock.now();
    // A step that ends at its inputs checks the expected digest without loading what packs a source.
    const { packSource } = await import("../source/archive/archive.ts");
    const archive = await packSource(tree, options);
    const milliseconds = deps.clock.now() - start;
    deps.emit({ type: "source-packed", archive, milliseconds });
    deps.emit({ type: "step-ended", step: "source", milliseconds });
    return archive;
  };
  const { packing } = deps;
  return await deps.timeLimit.without(() => (packing ? packing.take(work) : work()));
}

type Source = DeployRequest["source"];

/**
 * What is wrong with the digest that a source is expected to have, as the end of a sentence; empty if nothing is.
 * `packed`: the digest of a directory, once it is known.
 */
export function digestFault(source: Source, expected: string, packed?: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(expected)) return "is not `sha256:` with 64 hex digits in lower case";
  switch (source.source) {
    case "internal_source":
      return packed === undefined || packed === expected ? "" : `is ${expected}, but the source has ${packed}`;
    case "external_docker": {
      const { digest } = readImageReference(source.imageUri);
      if (digest?.startsWith("sha256:") !== true)
        return "needs an image by its digest, as name@sha256:…: a tag can name another image";
      return digest === expected ? "" : `is ${expected}, but the image has ${digest}`;
    }
    case "github":
      return "cannot be proved for a repository, which the service clones";
    case "revision":
      return "cannot be proved for an earlier revision, whose source only the service has";
  }
}

/** Throws a PlanError if the request expects another digest. `packed`: that of a directory. */
export function checkDigest(
  { source, expectedDigest }: Pick<DeployRequest, "expectedDigest" | "source">,
  packed: string | undefined,
): void {
  if (expectedDigest === undefined) return;
  const fault = digestFault(source, expectedDigest, packed);
  if (fault === "") return;
  throw new PlanError(`The expected digest ${fault}.`, {
    advice: "Nothing was written. Deploy the very files that were verified: the same commit, packed by the same rules.",
    reasons: ["DIGEST_DIFFERS"],
  });
}
