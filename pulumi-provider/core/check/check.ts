import { distance } from "fastest-levenshtein";
import { DEFAULT_GRAPH_CONFIG } from "../../../src/contract/graph-config.ts";
import { toValidationErrors } from "../../../src/contract/validation-error.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { checkDirectory, type DirectoryContext } from "./directory.ts";
import { toFailures, type CheckFailure, type InputFault } from "../inputs/failures.ts";
import { checkSourceRules } from "./source-rules.ts";
import { findConnection, type Surroundings } from "../service/connection.ts";
import { DEFAULTS } from "../inputs/inputs.ts";
import { checkFieldNames } from "../service/service.ts";
import { INPUT_NAMES, InputShapes, PartialShapes, type ShapedInputs } from "../inputs/fields.ts";
import { checkSecrets, secretValuesIn } from "./secrets.ts";
import { meaningful, type Properties } from "../state/state.ts";
import { findUnknown, valueAt, type IsUnknown } from "../state/unknown-values.ts";

/** What a check works with; it asks no service. */
export interface CheckContext extends DirectoryContext, Surroundings {
  readonly isUnknown: IsUnknown;
}

/** The inputs as create, diff and update will get them, and all that is wrong with them. */
export interface CheckResult {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

// What people try that another input or the provider itself takes care of.
const HINTS: ReadonlyMap<string, string> = new Map([
  ["sourceTarballPath", "is taken care of by the provider, which uploads `directory`"],
  ["apiKey", "is not an input, so that no key gets into the state: point to it with `credential`"],
  ["sourceRevisionConfig", "is written as its fields: repoRef, graphConfigPath, imageUri"],
]);

/**
 * Checks the inputs of a deployment and fills in what they leave open; it makes no request, and equal inputs give an
 * equal result, as update plans need it. `olds` are the checked inputs of the last update, empty for a new resource.
 */
export async function check(olds: Properties, news: Properties, context: CheckContext): Promise<CheckResult> {
  const { given, restored } = splitRestored(meaningful(news), olds);
  const { inputs, faults } = readShapes(given, context.isUnknown);
  const connection = findConnectionOf(inputs, context);
  const directory = await checkDirectory({ inputs, given, olds }, context);
  const clean = redactorOf(given, connection.apiKey, context);
  const all = [
    ...unknownKeys(given),
    ...faults,
    ...checkSourceRules({ inputs, given }, context.isUnknown),
    ...checkSecrets(knownParts(inputs, context.isUnknown), context, context.isUnknown),
    ...checkFieldNames(inputs.fieldNames, context.isUnknown),
    ...connection.faults,
    ...directory.faults,
  ];
  const { controlPlaneUrl } = connection;
  // A machine without the setting of the workspace must not move the deployment to another one.
  const workspace = connection.tenantId ?? olds["tenantId"];
  return {
    inputs: {
      ...DEFAULTS,
      ...(hasGraphConfig(inputs) ? { graphConfigPath: DEFAULT_GRAPH_CONFIG } : {}),
      ...Object.fromEntries(Object.entries(given).filter(([key]) => INPUT_NAMES.includes(key))),
      ...(controlPlaneUrl === undefined ? {} : { controlPlaneUrl }),
      ...(workspace == null ? {} : { tenantId: workspace }),
      ...directory.filled,
      ...restored,
    },
    failures: toFailures(given, all, clean),
  };
}

const FILLED: readonly string[] = ["sourceHash", "sourceSummary"];
// An earlier version wrote it into the state; nothing reads it any more.
const NO_LONGER_FILLED = "sourceParts";

/**
 * What the program gave, and what an earlier check had filled in: the engine puts it back where `ignoreChanges` names
 * it or `*`. Files whose changes are ignored keep the digest that state has.
 */
function splitRestored(news: Properties, olds: Properties): { given: Properties; restored: Properties } {
  const isRestored = (key: string) => [...FILLED, NO_LONGER_FILLED].includes(key) && news[key] === olds[key];
  const given = Object.fromEntries(Object.entries(news).filter(([key]) => !isRestored(key)));
  if (given["sourceHash"] === news["sourceHash"]) return { given, restored: {} };
  return { given, restored: Object.fromEntries(Object.entries(olds).filter(([key]) => FILLED.includes(key))) };
}

/** The inputs whose shape is right, and a fault for each that is not; what is unknown counts as right. */
function readShapes(given: Properties, isUnknown: IsUnknown): { inputs: ShapedInputs; faults: readonly InputFault[] } {
  const parsed = InputShapes.safeParse(given);
  if (parsed.success) return { inputs: parsed.data, faults: [] };
  const faults = toValidationErrors(parsed.error)
    .filter(({ loc }) => !isUnknown(valueAt(given, loc)))
    .map(({ loc, msg }) => ({ path: loc, message: valueAt(given, loc) === undefined ? "is missing" : msg }));
  const bad = new Set(parsed.error.issues.map(({ path: [input] }) => input));
  const good = Object.fromEntries(Object.entries(given).filter(([key]) => !bad.has(key)));
  return { inputs: PartialShapes.parse(good), faults };
}

function unknownKeys(given: Properties): readonly InputFault[] {
  const unknown = Object.keys(given).filter((key) => !INPUT_NAMES.includes(key));
  return unknown.map((key) => {
    const nearest = suggestionFor(key, INPUT_NAMES);
    const message =
      HINTS.get(key) ?? `is not a known input${nearest === undefined ? "" : ` (did you mean ${nearest}?)`}`;
    return { path: [key], message };
  });
}

function findConnectionOf(inputs: ShapedInputs, context: CheckContext) {
  const { controlPlaneUrl, tenantId, credential } = inputs;
  const { isUnknown } = context;
  const [unknownUrl, unknownKey] = [isUnknown(controlPlaneUrl), findUnknown(credential, isUnknown) !== undefined];
  const found = findConnection(
    {
      controlPlaneUrl: unknownUrl ? undefined : controlPlaneUrl,
      tenantId: isUnknown(tenantId) ? undefined : tenantId,
      credential: unknownKey ? undefined : credential,
    },
    context,
  );
  const faults = found.faults.filter(
    ({ path: [input] }) => !(unknownUrl && input === "controlPlaneUrl") && !(unknownKey && input === "credential"),
  );
  return {
    ...found,
    faults,
    ...(unknownUrl ? { controlPlaneUrl } : {}),
    ...(isUnknown(tenantId) ? { tenantId } : {}),
  };
}

/** The inputs of the secrets, without those that are unknown as a whole. */
function knownParts({ secrets, secretsFromEnv }: ShapedInputs, isUnknown: IsUnknown) {
  return {
    ...(secrets === undefined || isUnknown(secrets) ? {} : { secrets }),
    ...(secretsFromEnv === undefined || isUnknown(secretsFromEnv) ? {} : { secretsFromEnv }),
  };
}

function hasGraphConfig({ source }: ShapedInputs): boolean {
  return source === "internal_source" || source === "github";
}

/** Takes every secret out of a text: the values of both inputs, and the key. */
function redactorOf(given: Properties, apiKey: string | undefined, { env }: CheckContext): (text: string) => string {
  const redactor = new Redactor();
  for (const value of [...secretValuesIn(given, { env }), apiKey, env("GRAPH_DEPLOY_API_KEY")]) {
    if (value !== undefined) redactor.add(value);
  }
  return (text) => redactor.text(text);
}

/** The name that a misspelt one may have meant; undefined when none is near. */
function suggestionFor(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((candidate) => ({ candidate, edits: distance(folded(name), folded(candidate)) }))
    .sort((a, b) => a.edits - b.edits);
  if (best === undefined) return undefined;
  return best.edits <= Math.max(name.length < 4 ? 1 : 2, Math.floor(name.length / 3)) ? best.candidate : undefined;
}

// The service's spelling of a name is the likeliest mistake: repo_ref for repoRef.
function folded(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}
