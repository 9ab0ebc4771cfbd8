import { DEPLOY_OPTIONS, PREVIOUS } from "../../../src/deployment/options.ts";
import { targetOf, type Create, type DeploymentTarget, type EarlierSource } from "../../../src/deployment/request.ts";
import type { Host, Place } from "../../host.ts";
import type { InputReader } from "../../options/input-reader.ts";
import { quoted } from "../../../src/text/quoted.ts";
import type { DeployInputName } from "./options.ts";

export function readTarget(reader: InputReader<DeployInputName>): DeploymentTarget | undefined {
  const name = reader.read(DEPLOY_OPTIONS, "name");
  const deploymentId = reader.read(DEPLOY_OPTIONS, "deploymentId");
  if (name !== undefined) {
    if (!/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
      // RFC 1035, section 2.3.1: a name often becomes part of a host name.
      reader.warn(
        `The name ${quoted(name)} is not a valid DNS label (a to z, 0 to 9 and hyphens, a letter first, at most 63 characters). The service may reject it only after the build.`,
      );
    }
    return targetOf({ name, deploymentId });
  }
  if (deploymentId !== undefined) return { deploymentId };
  if (reader.isUnknown("deployment-id")) return undefined;
  reader.fault("name", "is missing; set the name of the deployment, or `deployment-id`");
  return undefined;
}

export function readCreate(reader: InputReader<DeployInputName>, { unattended }: Host): Create {
  const create = reader.read(DEPLOY_OPTIONS, "create");
  const otherwise = create === "once" ? unattended : undefined;
  if (otherwise === undefined) return create;
  reader.notice(
    "`create: once` counts as `auto` in this run: it creates without a list only in the first attempt of a run that is " +
      `started by hand (\`workflow_dispatch\`), and this is ${otherwise}.`,
  );
  return "auto";
}

/** The revision to go back to; undefined for a step that deploys a source of today. */
export function readEarlier(reader: InputReader<DeployInputName>, { attempt }: Place): EarlierSource | undefined {
  const revision = reader.read(DEPLOY_OPTIONS, "rollbackTo");
  // What an attempt rolled back serves now: `previous` would undo it.
  if (revision === PREVIOUS && attempt > 1 && !reader.isTrue("dry-run")) {
    reader.fault(
      "rollback-to",
      `\`previous\` is not safe in attempt ${String(attempt)} of a run: an earlier attempt may have rolled back already; set the id of the revision`,
    );
  }
  return revision === undefined ? undefined : { source: "revision", revision };
}
