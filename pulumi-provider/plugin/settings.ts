import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { faultsIn, toFailures, type CheckFailure, type InputFault } from "../core/inputs/failures.ts";
import { sizeFault } from "../core/inputs/max-size.ts";
import { findConnection, plainConfigText } from "../core/service/connection.ts";
import { checkFieldNames } from "../core/service/service.ts";
import { differ } from "../core/state/changes.ts";
import type { Properties } from "../core/state/state.ts";
import { findUnknown, type IsUnknown } from "../core/state/unknown-values.ts";
import { markedLike, modelOf } from "./values.ts";

const NAMESPACE = "graph-deploy";

const text = z.string("must be a string");
export const SettingShapes = z.object({
  controlPlaneUrl: text.optional().describe("Address of the control plane, with its path prefix if it has one."),
  apiKey: text
    .optional()
    .describe("API key of the service. Without it the provider reads GRAPH_DEPLOY_API_KEY, which is in no state."),
  bearerToken: text
    .optional()
    .describe("Token to send in the header Authorization, for services that accept one instead of an API key."),
  tenantId: text.optional().describe("Workspace that the key is used for."),
  fieldNames: z
    .record(z.string(), z.string(), "must be an object of our names and theirs")
    .optional()
    .describe("Names that the service spells differently, from our name to theirs."),
  allowHttp: z
    .boolean("must be true or false")
    .optional()
    .describe("Allow plain http to hosts other than this machine; false unless it is set."),
  caCertificate: text.optional().describe("Certificates to trust besides the usual ones, as PEM text."),
  maxSize: text
    .check(({ value, issues }) => {
      const message = sizeFault(value);
      if (message !== "") issues.push({ code: "custom", input: value, message });
    })
    .optional()
    .describe("The largest archive of a directory: `200MiB` unless it is set."),
});
type Settings = z.output<typeof SettingShapes>;
export type SettingName = keyof Settings;

/** Those that no text may show. */
export const SECRET_SETTINGS: readonly SettingName[] = ["apiKey", "bearerToken"];

const NAMES: readonly string[] = Object.keys(SettingShapes.shape);
// What else the engine sends along.
const ENGINES = new Set(["version", "pluginDownloadURL", "pluginChecksums"]);

const SECRETS = modelOf(SECRET_SETTINGS);

/** The settings as a state keeps them: what no text may show is a secret there, whatever the configuration says. */
export function keptSettings(args: Properties): Properties {
  return markedLike(args, SECRETS);
}

/** A sentence for each secret setting that the files of the stack hold in plain text. `urn` is that of the provider. */
export async function plainTextWarnings(urn: string, programDirectory: string): Promise<readonly string[]> {
  // Pulumi makes it of the stack's configuration; of another one the program says the settings.
  const isDefault = urn.split("::").at(-1)?.startsWith("default") === true;
  const keys = isDefault ? SECRET_SETTINGS.map((setting) => `${NAMESPACE}:${setting}`) : [];
  return (await plainInFiles(keys, urn, programDirectory)).map(plainConfigText);
}

/**
 * Those of the settings that the files of a stack hold in plain text. An engine hands a provider its settings without the
 * marks of secrets, so that only the files tell. Nothing is said of files that are not where Pulumi puts them.
 */
async function plainInFiles(
  keys: readonly string[],
  urn: string,
  programDirectory: string,
): Promise<readonly string[]> {
  const [, stack] = /^urn:pulumi:([\w.-]+)::/.exec(urn) ?? [];
  if (stack === undefined) return [];
  const directory = await projectDirectory(programDirectory);
  if (directory === undefined) return [];
  const texts = await Promise.all(["Pulumi", `Pulumi.${stack}`].map((file) => yamlIn(directory, file)));
  const lines = texts.flatMap((text) => (text ?? "").split("\n"));
  return keys.filter((key) =>
    lines.some((line) => {
      // An encrypted value is an object: it begins on the next line, or with a brace. The lines are enough for what Pulumi writes
      // itself, and the plugin does without a parser of YAML, for which the package has no room.
      const [, name, value = ""] = /^\s+["']?([\w:-]+)["']?:\s+([^\s{#].*)$/.exec(line.trimEnd()) ?? [];
      return name === key && !/^(?:""|''|~|null)$/.test(value);
    }),
  );
}

/** The program may lie below its project. */
async function projectDirectory(directory: string): Promise<string | undefined> {
  if ((await yamlIn(directory, "Pulumi")) !== undefined) return directory;
  const above = dirname(directory);
  return above === directory ? undefined : await projectDirectory(above);
}

async function yamlIn(directory: string, file: string): Promise<string | undefined> {
  const read = (ending: string) => readFile(join(directory, `${file}.${ending}`), "utf8").catch(() => undefined);
  return (await read("yaml")) ?? (await read("yml"));
}

/** The settings of one provider, in the form in which the core reads the configuration of a stack. */
export function configReader(args: Properties): (key: string) => string | undefined {
  const settings = decoded(args);
  return (key) => {
    if (!key.startsWith(`${NAMESPACE}:`)) return undefined;
    const value = settings[key.slice(NAMESPACE.length + 1)];
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  };
}

/** All that is wrong with the settings of a provider; what is not known yet counts as right. */
export function settingFailures(
  args: Properties,
  { env, isUnknown }: { readonly env: (name: string) => string | undefined; readonly isUnknown: IsUnknown },
): readonly CheckFailure[] {
  const settings = decoded(args);
  const known = Object.fromEntries(
    Object.entries(settings).filter(
      ([key, value]) => NAMES.includes(key) && findUnknown(value, isUnknown) === undefined,
    ),
  );
  const faults: InputFault[] = Object.keys(settings)
    .filter((key) => !NAMES.includes(key) && !ENGINES.has(key))
    .map((key) => ({ path: [key], message: `is not a known setting; these are known: ${NAMES.join(", ")}` }));
  const parsed = SettingShapes.safeParse(known);
  if (!parsed.success) return toFailures({}, [...faults, ...faultsIn(parsed.error)]);
  faults.push(...checkFieldNames(parsed.data.fieldNames, isUnknown));
  // A missing setting is reported with the resource that needs it: a program may only ever name one in a function.
  const found = findConnection({}, { config: configReader(known), env });
  const isGiven = ({ path: [key] }: InputFault) => Object.hasOwn(known, key === "credential" ? "apiKey" : String(key));
  for (const { path, message } of found.faults.filter(isGiven)) {
    const [key = "", ...rest] = path;
    faults.push({ path: [key === "credential" ? "apiKey" : key, ...rest], message });
  }
  return toFailures({}, faults);
}

/** The settings that two configurations of one provider have different. */
export function changedSettings(before: Properties, after: Properties): readonly string[] {
  const [olds, news] = [decoded(before), decoded(after)];
  return NAMES.filter((name) => differ(olds[name], news[name]));
}

/** An SDK sends values other than strings as JSON text. */
function decoded(args: Properties): Properties {
  const kinds: Readonly<Record<string, z.ZodType>> = SettingShapes.shape;
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      if (typeof value !== "string" || kinds[key]?.safeParse(value).success !== false) return [key, value];
      try {
        const json: unknown = JSON.parse(value);
        return [key, json];
      } catch {
        return [key, value];
      }
    }),
  );
}
