import { PlanError } from "./errors.ts";
import type { DeployRequest } from "./request.ts";

type Source = DeployRequest["source"];

/**
 * What is wrong with the digest that a source is expected to have, as the end of a sentence; undefined if nothing is.
 * `packed`: the digest of a directory, once it is known.
 */
export function digestFault(source: Source, expected: string, packed?: string): string | undefined {
  if (!/^sha256:[0-9a-f]{64}$/.test(expected)) return "is not `sha256:` with 64 hex digits in lower case";
  switch (source.source) {
    case "internal_source":
      return packed === undefined || packed === expected ? undefined : `is ${expected}, but the source has ${packed}`;
    case "external_docker": {
      const digest = /@(sha256:[0-9a-f]{64})$/.exec(source.imageUri)?.[1];
      if (digest === undefined) return "needs an image by its digest, as name@sha256:…: a tag can name another image";
      return digest === expected ? undefined : `is ${expected}, but the image has ${digest}`;
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
  if (fault === undefined) return;
  throw new PlanError(`The expected digest ${fault}.`, {
    advice: "Nothing was written. Deploy the very files that were verified: the same commit, packed by the same rules.",
    reasons: ["DIGEST_DIFFERS"],
  });
}
