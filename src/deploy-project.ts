import { resolve } from "node:path";
import * as z from "zod";
import type { ArgumentReading, ShapesOf } from "./contract/call-arguments.ts";
import { checkOptions, shapesOf, withDefaults, without } from "./contract/options.ts";
import { secretFault } from "./contract/secret.ts";
import type { GivenDeployOptions } from "./deployment/given-options.ts";
import { checkSource } from "./deployment/option-rules.ts";
import { DEPLOY_OPTIONS } from "./deployment/options.ts";
import { DEPLOY_DEFAULTS, REQUEST_OPTIONS, requestOf, sourceOf, targetOf } from "./deployment/request.ts";
import type { DeployRequest } from "./deployment/request.ts";
import { argumentFaults, PATIENCE_SHAPES, readPatience, type GivenPatience } from "./given-patience.ts";
import { quoted } from "./text/quoted.ts";

/**
 * What to deploy: a directory, unless `imageUri`, `repoRef` or `rollbackTo` names another source. All but the name have the
 * defaults of the deploy action. What decides what is deployed, or where, or whether a deployment may be created is never
 * `undefined`, though its type takes what a variable of the environment is: that is an ArgumentsError, so leave it out.
 */
export interface DeployProject extends GivenDeployOptions, GivenPatience {}

/** The options of a deploy that are no arguments, and what a program does instead. */
export const LEFT_OUT = {
  revisionId: "`follow` waits for a revision",
  source: "`imageUri`, `repoRef` and `rollbackTo` name another source than a directory",
  installCommand: "`install_command` of `sourceConfig`",
  buildCommand: "`build_command` of `sourceConfig`",
  reservedNames: "the names that a platform sets are the same for all programs",
  smokeInput: "`smokeRun.input`",
  smokeGraph: "`smokeRun.graph`",
  smokeExpect: "`smokeRun.expect`",
  traceSession: "`graph-deploy/tracing` traces what a program does",
  traceUrl: "`graph-deploy/tracing` traces what a program does",
  traceApiKey: "`graph-deploy/tracing` traces what a program does",
  dryRun: "`dryRun` is a call",
} as const satisfies Partial<Record<keyof typeof DEPLOY_OPTIONS, string>>;

const OPTIONS = without(DEPLOY_OPTIONS, LEFT_OUT);

/** The shape of what is to be deployed; `readProject` checks what several arguments say together. */
export const ProjectShape = z.strictObject({
  ...shapesOf(OPTIONS),
  ...PATIENCE_SHAPES,
} satisfies ShapesOf<DeployProject>);

const NAMES_SOURCE = ["rollbackTo", "imageUri", "repoRef"] as const;

/** The deploy of a project. Reports what is wrong with arguments whose shapes are right. */
export function readProject(
  { value: project = {}, wrong }: ArgumentReading<z.infer<typeof ProjectShape>>,
  workingDirectory: string,
  faults: string[],
): DeployRequest {
  const { name, deploymentId, repoRef, sourceConfig = {}, record } = project;
  const isNamed = name !== undefined || deploymentId !== undefined || wrong.has("name") || wrong.has("deploymentId");
  if (!isNamed) faults.push("`name` is missing");
  const { rollbackTo, path = DEPLOY_DEFAULTS.path } = project;
  const source =
    rollbackTo === undefined
      ? sourceOf(project, { directory: resolve(workingDirectory, path) })
      : { source: "revision" as const, revision: rollbackTo };
  const isTwice = source.source === "external_docker" && repoRef !== undefined;
  if (isTwice) faults.push("`imageUri` and `repoRef` name two sources; give one");
  const values = new Map<string, unknown>(Object.entries({ ...project, ...(isTwice ? { repoRef: undefined } : {}) }));
  const kind = source.source === "revision" ? undefined : source.source;
  faults.push(...argumentFaults(checkOptions(DEPLOY_OPTIONS, (option) => values.get(option) !== undefined, kind)));
  const patience = readPatience(project, withDefaults(REQUEST_OPTIONS, project), faults);
  // Where another source was to be named, the rules of a directory are not those that the caller has broken.
  const isMeant = source.source !== "internal_source" || !NAMES_SOURCE.some((field) => wrong.has(field));
  if (isMeant) faults.push(...argumentFaults(checkSource(source, { ...project, sourceConfig })));
  const { smokeRun: _, ...given } = project;
  return requestOf(
    { ...given, ...patience },
    {
      target: targetOf(project),
      source,
      sourceConfig,
      secrets: secretsOf(project.secrets, faults),
      ...(record === undefined ? {} : { record: resolve(workingDirectory, record) }),
    },
  );
}

function secretsOf(given: Readonly<Record<string, string>> | undefined, faults: string[]): DeployRequest["secrets"] {
  return (
    given &&
    Object.entries(given).map(([name, value]) => {
      const { code, message = "" } = secretFault(name, value) ?? {};
      if (code === "NAME") faults.push(`\`secrets\`: ${quoted(name)} ${message}`);
      if (code === "RESERVED") faults.push(`\`secrets.${name}\` ${message}`);
      if (code === "EMPTY") faults.push(`\`secrets.${name}\` ${message}; leave it out if that is intended`);
      return { name, value };
    })
  );
}
