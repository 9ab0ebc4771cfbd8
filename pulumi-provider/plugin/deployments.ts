import { isRecord } from "../../src/contract/call-arguments.ts";
import { importState, inputsShown } from "../core/operations/read.ts";
import { INPUT_NAMES, OPTION_NAMES } from "../core/inputs/fields.ts";
import type { CheckFailure } from "../core/inputs/failures.ts";
import { diff, type Difference } from "../core/operations/diff.ts";
import { differ, withIgnoredSecrets } from "../core/state/changes.ts";
import { HIDDEN, internalsOf } from "../core/state/internals.ts";
import { OUTPUTS, type Properties } from "../core/state/state.ts";
import { isObject, valueAt } from "../core/state/unknown-values.ts";
import type { DeploymentProvider } from "../deployment-provider.ts";
import type { Host } from "../host.ts";
import { holdsSecret, markedLike, plain, SECRET_MODEL } from "./values.ts";

/** What the engine puts in the place of a value that only the update will know. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Which resource a call is about. */
export interface Subject {
  readonly urn: string;
  /** As the program calls it. */
  readonly name: string;
}

/** How a call is made: in a preview nothing is written, and `timeoutSeconds` is 0 where the program sets none. */
export interface CallMode {
  readonly preview: boolean;
  readonly timeoutSeconds: number;
}

/** What became of a property between the state and the inputs. */
export type ChangeKind = "add" | "delete" | "update";

/** A difference with the path of each property. */
export interface DetailedDifference extends Difference {
  readonly detail: ReadonlyMap<string, ChangeKind>;
}

/** A resource as the engine keeps it; the properties carry the marks of secrets. */
export interface Resource {
  readonly id: string;
  readonly properties: Properties;
}

// What another revision changes; a deployment keeps the rest, and the checks know what a source is.
const OF_REVISION = OUTPUTS.filter((output) => output.of === "revision").map(({ name }) => name);
const OF_DEPLOYMENT = OUTPUTS.filter((output) => output.of === "deployment").map(({ name }) => name);

/** The resource `Deployment` as the engine calls it over gRPC: secrets are marked, previews exact, and calls name their resource. */
export class Deployments {
  readonly #provider: DeploymentProvider;
  readonly #host: Host;

  constructor(provider: DeploymentProvider, host: Host) {
    this.#provider = provider;
    this.#host = host;
  }

  async check(
    { urn, name }: Subject,
    olds: Properties,
    news: Properties,
  ): Promise<{ readonly inputs: Properties; readonly failures: readonly CheckFailure[] }> {
    const secretSettings = secretSettingsIn(news);
    const given = { name, ...plain(news), ...(secretSettings.length === 0 ? {} : { secretSettings }), __urn: urn };
    const { inputs = {}, failures = [] } = await this.#provider.check(plain(olds), given);
    return { inputs: marked(inputs, news), failures };
  }

  async diff({ urn }: Subject, id: string, olds: Properties, news: Properties): Promise<DetailedDifference> {
    const [before, after] = [plain(olds), plain(news)];
    const difference = await this.#provider.compare(id, before, { ...after, __urn: urn });
    // Options that another kind of provider had to keep in its state are not properties.
    const changed = difference.changed.filter((key) => !OPTION_NAMES.has(key));
    // Where `replaceOnChanges` replaces, the engine decides that: the name is in use until the deployment is gone.
    const keepsPlace = !changed.includes("name") && !changed.includes("controlPlaneUrl");
    const detail = difference.changes ? detailOf(changed, before, after) : new Map<string, never>();
    return { ...difference, changed, detail, deleteBeforeReplace: difference.deleteBeforeReplace || keepsPlace };
  }

  async create({ urn }: Subject, news: Properties, { preview, timeoutSeconds }: CallMode): Promise<Resource> {
    if (preview) return { id: "", properties: { ...news, ...unknown([...OF_REVISION, ...OF_DEPLOYMENT]) } };
    const inputs = { ...plain(news), ...timeoutOf("create", timeoutSeconds), __urn: urn };
    const { id, outs = {} } = await this.#provider.create(inputs);
    return { id, properties: marked(outs, news) };
  }

  async update(
    subject: Subject,
    { id, properties: olds }: Resource,
    news: Properties,
    { preview, timeoutSeconds }: CallMode,
  ): Promise<Properties> {
    if (preview) return await this.#previewUpdate(olds, news);
    const inputs = { ...plain(news), ...timeoutOf("update", timeoutSeconds), __urn: subject.urn };
    const { outs = {} } = await this.#provider.update(id, plain(olds), inputs);
    return marked(outs, news);
  }

  async #previewUpdate(olds: Properties, news: Properties): Promise<Properties> {
    // An engine updates only where the deployment is.
    const { work } = await diff(plain(olds), plain(news), {
      env: this.#host.env,
      fingerprints: this.#host.fingerprints,
      isStillThere: true,
    });
    // What is in a state beside the inputs of the program.
    const kept = { ...Object.fromEntries(Object.entries(olds).filter(([key]) => !INPUT_NAMES.includes(key))), ...news };
    if (work === "none" || work === "note") return kept;
    const isNowhere = olds["url"] == null;
    return { ...kept, ...unknown(work === "wait" ? ["status"] : OF_REVISION), ...unknown(isNowhere ? ["url"] : []) };
  }

  /** A resource with state as it is now, undefined when it is gone; without state, what is to be imported. */
  async read({ urn, name }: Subject, { id, properties }: Resource, inputs: Properties) {
    if (internalsOf(plain(properties)).stateVersion === undefined) return await this.#import({ urn, name }, id);
    const found = await this.#provider.read(id, { ...plain(properties), __urn: urn });
    if (found.id === undefined || !found.props) return undefined;
    const seen = inputsShown(plain(properties), found.props, plain(inputs));
    const shown = seen ? markedLike(markedLike(seen, inputs), SECRET_MODEL) : inputs;
    return { id: found.id, properties: marked(found.props, properties), inputs: shown };
  }

  async #import({ urn, name }: Subject, idOrName: string) {
    const host = this.#host;
    const subject = { name, __urn: urn };
    return await host.answer(subject, async () => {
      const { controlPlane } = host.depsOf(subject, {});
      const { id, inputs, reported } = await importState(idOrName, controlPlane);
      const { inputs: checked = {} } = await this.#provider.check({}, { ...inputs, __urn: urn });
      return { id, properties: marked({ ...checked, ...reported }, {}), inputs };
    });
  }

  async delete({ urn }: Subject, { id, properties }: Resource, timeoutSeconds: number): Promise<void> {
    await this.#provider.delete(id, { ...plain(properties), ...timeoutOf("delete", timeoutSeconds), __urn: urn });
  }
}

/** What is kept of a call: without what was added for it, and with the marks that what went in had. */
export function marked(properties: Properties, model: Properties): Properties {
  const { customTimeouts: _, ...kept } = properties;
  const own = Object.entries(kept).filter(([key]) => key === HIDDEN || !key.startsWith("__"));
  return markedLike(markedLike(Object.fromEntries(own), model), SECRET_MODEL);
}

function timeoutOf(operation: "create" | "delete" | "update", seconds: number): Properties {
  return seconds > 0 ? { customTimeouts: { [operation]: `${String(seconds)}s` } } : {};
}

/** The settings of a source that the program marks as secret: a service that repeats them must not have them printed. */
function secretSettingsIn({ sourceConfig }: Properties): readonly string[] {
  if (!holdsSecret(sourceConfig) || !isObject(sourceConfig)) return [];
  const secret = Object.entries(sourceConfig).filter(([, value]) => holdsSecret(value));
  return secret.map(([name]) => name);
}

function unknown(keys: readonly string[]): Properties {
  return Object.fromEntries(keys.map((key) => [key, UNKNOWN]));
}

// Of a revision that was made elsewhere: it goes with the next one.
const ARCHIVE = "sourceTarballPath";

// What a resource reports, and no program sets: an engine compares it with nothing.
const REPORTED: ReadonlySet<string> = new Set([...OF_REVISION, ...OF_DEPLOYMENT]);

/** The properties that differ, by their paths in Pulumi's own form: `imageUri`, `sourceConfig.build_command`. */
export function detailOf(
  changed: readonly string[],
  olds: Properties,
  news: Properties,
): ReadonlyMap<string, ChangeKind> {
  const after = withIgnoredSecrets(olds, news);
  const detail = new Map<string, ChangeKind>();
  for (const key of changed) {
    // An engine would show that an output is to be deleted: no program sets it. The log says what it is about.
    if (!REPORTED.has(key) || key === ARCHIVE) addBelow(key, olds[key], after[key], detail);
    // A variable of the environment may hold another value under the same name.
    if (key === "secretsFromEnv" && ![...detail.keys()].some((path) => path.startsWith(key))) detail.set(key, "update");
  }
  return detail;
}

function addBelow(path: string, before: unknown, after: unknown, detail: Map<string, ChangeKind>): void {
  if (!differ(before, after)) return;
  if (before == null || after == null) {
    detail.set(path, before == null ? "add" : "delete");
    return;
  }
  const keys = isRecord(before) && isRecord(after) ? Object.keys({ ...before, ...after }) : [];
  if (!isRecord(before) || !isRecord(after) || !keys.every(hasStep)) {
    detail.set(path, "update");
    return;
  }
  for (const key of keys) {
    const step = /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `["${key.replaceAll('"', '\\"')}"]`;
    addBelow(`${path}${step}`, valueAt(before, [key]), valueAt(after, [key]), detail);
  }
}

// To an engine a backslash is one only where no quote follows: it refuses the whole update for a path that it cannot read.
function hasStep(key: string): boolean {
  return !/\\(?:"|$)/.test(key);
}
