import { plainNames, previewName } from "../../src/deployment/preview-name.ts";
import { differenceTo, nameIn, taskOf } from "../github/records/place.ts";
import { listRecords, type ListedPlace } from "../github/records/record.ts";
import { numberOf, type LookContext } from "./previews.ts";

const WHAT = {
  address: "at another `control-plane-url`",
  tenant: "with another `tenant-id`",
  both: "at another `control-plane-url` and with another `tenant-id`",
  "one of both": "at another `control-plane-url` or with another `tenant-id`",
} as const;

export interface ReachedTenant {
  readonly url: URL;
  readonly tenantId: string | undefined;
}

/**
 * What to set where a run finds no preview, and by the records all of them were deployed to another service; undefined where
 * the records do not say so. Throws as listing the records does.
 */
export async function otherServiceText(
  { pullRequest }: { readonly pullRequest: number | undefined },
  { github, names, environment, url, tenantId }: Pick<LookContext, "environment" | "github" | "names"> & ReachedTenant,
): Promise<string | undefined> {
  const places: readonly ListedPlace[] =
    pullRequest === undefined
      ? [{ environment }]
      : [names, plainNames(names)].map((form) => ({ task: taskOf(previewName(form, pullRequest)) }));
  let found: { readonly name: string; readonly difference: keyof typeof WHAT } | undefined;
  for (const place of places) {
    for await (const { task, marks, preview } of listRecords(github, place, { isPartEnough: true })) {
      const name = nameIn(task);
      if (name === undefined || preview === false || numberOf(names, name) === undefined) continue;
      const difference = differenceTo(marks, url, tenantId);
      if (difference === undefined) return undefined;
      found ??= { name, difference };
    }
  }
  if (!found) return undefined;
  return `The preview ${found.name} is not at this service: it was deployed ${WHAT[found.difference]}. If that is not intended, set the same here.`;
}
