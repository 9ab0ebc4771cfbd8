import { REVISION_CONFIG_FIELDS } from "../contract/source.ts";
import { mostArchiveBytes } from "../source/archive/archive.ts";
import type { DeployDeps } from "./deps.ts";
import type { PlannedChange, PlannedField } from "./events.ts";
import { lookAround, type Look } from "./look.ts";
import { checkDigest, makePlan } from "./plan.ts";
import { hashSource, recall } from "./recall.ts";
import type { DeployRequest } from "./request.ts";
import { runToEnd } from "./run.ts";
import { patchBody } from "./update.ts";

/** What a deploy would change. */
export interface DryRunResult {
  readonly outcome: "dry-run";
  readonly change: PlannedChange;
}

/** Plans a deploy and reports what it would change; writes nothing. */
export async function dryRun(request: DeployRequest, deps: DeployDeps): Promise<DryRunResult> {
  return await runToEnd(request.timeoutMilliseconds, deps, async (watched) => {
    const look = await lookAround(request, watched);
    const recalled = await recall(look, watched);
    const { tree } = look;
    const { source } = request;
    const known = !recalled || recalled.verdict === "new" ? undefined : recalled;
    // Throws what packing the source would throw; nothing is read again that would not be sent. The source is hashed, and
    // compressed only where the archive could be larger than allowed, which nothing else shows.
    if (known || !tree || source.source !== "internal_source" || mostArchiveBytes(tree.entries) > source.maxBytes) {
      await (await makePlan(look, known, watched)).archive?.remove();
    } else {
      checkDigest(request, recalled?.digest ?? (await watched.timeLimit.without(() => hashSource(tree, watched))));
    }
    const change: PlannedChange = {
      target: look.existing ? "update" : "create",
      isUnlisted: !look.existing && look.unlisted !== undefined,
      recalled: recalled && { verdict: recalled.verdict, reason: recalled.reason },
      name: look.name,
      source: look.source,
      deployment: look.existing,
      latestRevision:
        look.existing?.latest_revision_id == null
          ? undefined
          : await watched.controlPlane.revision(look.existing.id, look.existing.latest_revision_id),
      fields: fieldsOf(look),
      secretNames: request.secrets?.map(({ name }) => name),
    };
    watched.emit({ type: "planned", change });
    return { outcome: "dry-run", change };
  });
}

function fieldsOf(look: Look): readonly PlannedField[] {
  const { existing, config, request } = look;
  const revision = REVISION_CONFIG_FIELDS.flatMap((name) =>
    config[name] == null
      ? []
      : [{ name, before: existing?.source_revision_config?.[name] ?? undefined, after: config[name] }],
  );
  const sent = existing
    ? (patchBody(look, existing, { tarballPath: undefined, created: false }).source_config ?? {})
    : request.sourceConfig;
  const known = new Map(Object.entries(existing?.source_config ?? {}));
  const settings = Object.entries(sent).map(([key, value]) => ({
    name: `source_config.${key}`,
    before: known.get(key) == null ? undefined : JSON.stringify(known.get(key)),
    after: JSON.stringify(value),
  }));
  return [...revision, ...settings];
}
