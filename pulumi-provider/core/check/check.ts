import { warningAt } from "../../../src/contract/advice.ts";
import { PROGRAM_ADVICE } from "../advice.ts";
import { DEFAULT_GRAPH_CONFIG } from "../../../src/contract/graph-config.ts";
import { setFields } from "../../../src/contract/set-fields.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { faultsIn, toFailures, type CheckFailure, type InputFault } from "../inputs/failures.ts";
import { checkSourceRules, type GivenInputs, sourceWarnings } from "./source-rules.ts";
import { findConnection, type Surroundings } from "../service/connection.ts";
import { DEFAULTS } from "../inputs/inputs.ts";
import { maxSizeFault } from "../inputs/max-size.ts";
import { checkFieldNames } from "../service/service.ts";
import { INPUT_NAMES, INPUT_ROLES, InputShapes, PartialShapes, type ShapedInputs } from "../inputs/fields.ts";
import { checkSecrets, secretValuesIn } from "./secrets.ts";
import { differ } from "../state/changes.ts";
import { meaningful, type Properties } from "../state/state.ts";
import { findUnknown, valueAt, type IsUnknown } from "../state/unknown-values.ts";
import { resolve } from "node:path";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { closest } from "../../../src/text/closest.ts";
import { countOf } from "../../../src/text/number.ts";
import { listFiles } from "./source-files.ts";
import type { SourceLooks } from "./source-looks.ts";
import { withoutFullStop } from "../../../src/text/reasons.ts";

/** What a check works with; it asks no service. */
export interface CheckContext extends Surroundings {
  /** Absolute; what the paths of a program are relative to. */
  readonly programDirectory: string;
  readonly sources: SourceLooks;
  readonly isUnknown: IsUnknown;
  /** Sentences for the user that stop nothing. */
  readonly log: (severity: "info" | "warning", message: string) => void;
}

/** The inputs as create, diff and update will get them, and all that is wrong with them. */
export interface CheckResult {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

// What people try that another input or the provider itself takes care of.
const HINTS: ReadonlyMap<string, string> = new Map([
  ["sourceTarballPath", "is set by the provider, which uploads `directory`"],
  ["apiKey", "is not an input, because it would be in the state: name where the key is with `credential`"],
  ["sourceRevisionConfig", "is not an input; set its fields instead: repoRef, graphConfigPath, imageUri"],
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
  // Takes every secret out of a text: the values of both inputs, and the key.
  const redactor = new Redactor();
  for (const value of [...secretValuesIn(given, context), connection.apiKey, context.env("GRAPH_DEPLOY_API_KEY")]) {
    if (value !== undefined) redactor.add(value);
  }
  const all = [
    ...unknownKeys(given),
    ...faults,
    ...checkSourceRules({ inputs, given }, context.isUnknown).filter((fault) => !isOfImport(fault, olds, given)),
    ...checkSecrets(inputs, context, context.isUnknown),
    ...checkFieldNames(inputs.fieldNames, context.isUnknown),
    ...connection.faults,
    ...directory.faults,
  ];
  for (const warning of sourceWarnings({ inputs, given }, context.isUnknown)) context.log("warning", warning);
  const { controlPlaneUrl } = connection;
  // A machine without the setting of the workspace must not move the deployment to another one.
  const workspace = connection.tenantId ?? olds["tenantId"];
  return {
    inputs: {
      ...DEFAULTS,
      ...(["internal_source", "github"].includes(inputs.source ?? "") ? { graphConfigPath: DEFAULT_GRAPH_CONFIG } : {}),
      ...Object.fromEntries(Object.entries(given).filter(([key]) => INPUT_NAMES.includes(key))),
      ...setFields({ controlPlaneUrl }),
      ...(workspace == null ? {} : { tenantId: workspace }),
      ...directory.filled,
      ...restored,
    },
    failures: toFailures(given, all, (text) => redactor.text(text)),
  };
}

/**
 * Without a directory there is nothing to upload, but an import has none, as no service knows it: as long as nothing
 * makes a revision, none is needed.
 */
function isOfImport({ path: [input] }: InputFault, olds: Properties, given: Properties): boolean {
  if (input !== "directory" || given["directory"] !== undefined) return false;
  const before = meaningful(olds);
  if (before["source"] !== "internal_source" || before["directory"] !== undefined) return false;
  const filled: Properties = { graphConfigPath: DEFAULT_GRAPH_CONFIG };
  const kept = Object.entries(INPUT_ROLES).filter(([key, role]) => role === "revision" || OF_DEPLOYMENT.includes(key));
  return kept.every(([key]) => !differ(before[key] ?? filled[key], given[key] ?? filled[key]));
}

const OF_DEPLOYMENT: readonly string[] = ["name", "source"];

const FILLED: readonly string[] = ["sourceHash", "sourceSummary", "sourceFiles"];
// Earlier versions wrote them into the state; nothing reads them any more.
const NO_LONGER_FILLED: readonly string[] = ["sourceChanges", "sourceParts"];
// A refresh leaves it where another archive runs.
const OF_REFRESH = "sourceTarballPath";

/**
 * What the program gave, and what an earlier check had filled in: the engine puts it back where `ignoreChanges` names
 * it or `*`. Files whose changes are ignored keep the digest that state has.
 */
function splitRestored(news: Properties, olds: Properties): { given: Properties; restored: Properties } {
  const isRestored = (key: string) =>
    [...FILLED, ...NO_LONGER_FILLED, OF_REFRESH].includes(key) && !differ(news[key], olds[key]);
  const given = Object.fromEntries(Object.entries(news).filter(([key]) => !isRestored(key)));
  if (given["sourceHash"] === news["sourceHash"]) return { given, restored: {} };
  return { given, restored: Object.fromEntries(Object.entries(olds).filter(([key]) => FILLED.includes(key))) };
}

/** The inputs whose shape is right, and a fault for each that is not; what is unknown counts as right. */
function readShapes(given: Properties, isUnknown: IsUnknown): { inputs: ShapedInputs; faults: readonly InputFault[] } {
  const parsed = InputShapes.safeParse(given);
  if (parsed.success) return { inputs: parsed.data, faults: [] };
  const faults = faultsIn(parsed.error)
    .filter(({ path }) => !isUnknown(valueAt(given, path)))
    .map(({ path, message }) => ({ path, message: valueAt(given, path) === undefined ? "is missing" : message }));
  const bad = new Set(parsed.error.issues.map(({ path: [input] }) => input));
  const good = Object.fromEntries(Object.entries(given).filter(([key]) => !bad.has(key)));
  return { inputs: PartialShapes.parse(good), faults };
}

function unknownKeys(given: Properties): readonly InputFault[] {
  const unknown = Object.keys(given).filter((key) => !INPUT_NAMES.includes(key));
  return unknown.map((key) => {
    const edits = Math.max(key.length < 4 ? 1 : 2, Math.floor(key.length / 3));
    // The service's spelling of a name is the likeliest mistake: repo_ref for repoRef.
    const spelled = (name: string) => name.replaceAll(/[_-]/g, "").toLowerCase();
    const nearest = closest(key, INPUT_NAMES, { spelled, edits });
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

/**
 * Looks at the directory of a deployment and hashes what would be packed: what it adds to the inputs, and what keeps it from
 * being packed; nothing for a source without one.
 */
async function checkDirectory(
  { inputs, given, olds }: GivenInputs & { readonly olds: Properties },
  context: CheckContext,
): Promise<{ readonly filled: Properties; readonly faults: readonly InputFault[] }> {
  const { source, directory, graphConfigPath = DEFAULT_GRAPH_CONFIG } = inputs;
  if (source !== "internal_source") return { filled: {}, faults: [] };
  const limit = maxSizeFault(context);
  if (limit !== "") return { filled: {}, faults: [{ path: ["graph-deploy:maxSize"], message: limit }] };
  const unknown = findUnknown([given["directory"], graphConfigPath], context.isUnknown);
  if (unknown !== undefined) {
    return { filled: { sourceHash: unknown, sourceSummary: unknown, sourceFiles: unknown }, faults: [] };
  }
  if (!directory) return { filled: {}, faults: [] };
  try {
    const look = await context.sources.look({
      directory: resolve(context.programDirectory, directory.path),
      graphConfig: graphConfigPath,
      include: directory.include ?? [],
      exclude: directory.exclude ?? [],
      allowSecretsInSource: directory.allowSecretsInSource,
    });
    const notices = look.notices.map((notice) => warningAt(PROGRAM_ADVICE, notice));
    for (const warning of [...look.warnings, ...notices]) context.log("warning", warning);
    const { hash: sourceHash, entries, sums, files, bytes } = look;
    const summary = `${countOf(files, "file")}, ${bytesText(bytes)}`;
    // An earlier version wrote it in other words: those stay while the files are the same, so that nothing changes.
    const sourceSummary = sourceHash === olds["sourceHash"] ? olds["sourceSummary"] : summary;
    const sourceFiles = listFiles(entries, sums, olds["sourceFiles"]);
    return { filled: { sourceHash, sourceSummary, sourceFiles }, faults: [] };
  } catch (error) {
    if (!(error instanceof GraphDeployError)) throw error;
    const message = `cannot be used: ${withoutFullStop(error.message)}`;
    return { filled: {}, faults: [{ path: ["directory"], message }] };
  }
}
