import type { Deployment, Revision } from "../contract/deployment.ts";
import { REVISION_CONFIG_FIELDS } from "../contract/source.ts";
import type { DeployDeps } from "./deps.ts";
import type { PlannedChange, PlannedField } from "./events.ts";
import { lookAround, type Look } from "./look.ts";
import { makePlan } from "./plan.ts";
import { recall } from "./recall.ts";
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
    // Nothing is packed that would not be sent.
    if (recalled === undefined || recalled.verdict === "new") await (await makePlan(look, watched)).archive?.remove();
    const change: PlannedChange = {
      target: look.existing === undefined ? "create" : "update",
      isUnlisted: look.existing === undefined && look.unlisted !== undefined,
      recalled,
      name: look.name,
      source: look.source,
      deployment: look.existing,
      latestRevision: await readLatest(look.existing, watched),
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
  const sent =
    existing === undefined
      ? request.sourceConfig
      : (patchBody(look, existing, { tarballPath: undefined, created: false }).source_config ?? {});
  const known = new Map(Object.entries(existing?.source_config ?? {}));
  const settings = Object.entries(sent).map(([key, value]) => ({
    name: `source_config.${key}`,
    before: known.get(key) == null ? undefined : JSON.stringify(known.get(key)),
    after: JSON.stringify(value),
  }));
  return [...revision, ...settings];
}

async function readLatest(existing: Deployment | undefined, deps: DeployDeps): Promise<Revision | undefined> {
  if (existing?.latest_revision_id == null) return undefined;
  return await deps.controlPlane.revision(existing.id, existing.latest_revision_id);
}
