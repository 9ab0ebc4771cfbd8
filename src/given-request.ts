import * as z from "zod";
import {
  abortSignal,
  anyText,
  ArgumentsError,
  flag,
  functionOf,
  objectOf,
  objectWith,
  readArgument,
  type ShapesOf,
  somePath,
  someText,
} from "./contract/call-arguments.ts";
import type { ControlPlane } from "./control-plane/client.ts";
import type { DeployDeps } from "./deployment/deps.ts";
import { shapesOf, withDefaults } from "./contract/options.ts";
import type { RequestOptions } from "./deployment/given-options.ts";
import { DEPLOY_OPTIONS, DIRECTORY_OPTIONS } from "./deployment/options.ts";
import {
  DEPLOY_DEFAULTS,
  REQUEST_OPTIONS,
  requestOf,
  targetOf,
  type DeployRequest,
  type DeploySource,
  type DirectorySource,
  type EarlierSource,
  type FollowRequest,
  type ImageSource,
  type RepositorySource,
} from "./deployment/request.ts";
import { surroundings } from "./environment.ts";
import { PATIENCE_SHAPES, readPatience, type GivenPatience } from "./given-patience.ts";
import { clockShape } from "./http/call-shapes.ts";
import { systemClock } from "./http/clock.ts";

/** These fields may be left out or be undefined, and have a default then. */
export type WithDefaults<Fields, Name extends keyof Fields> = Omit<Fields, Name> & {
  readonly [Key in Name]?: Fields[Key] | undefined;
};

/** Where the code comes from; what is not given of a source has the default of the action. */
export type GivenSource =
  | EarlierSource
  | ImageSource
  | WithDefaults<DirectorySource, keyof typeof DIRECTORY_OPTIONS>
  | WithDefaults<RepositorySource, "graphConfig">;

/** A deploy by a program with its own clients: only the target and the source are required. */
export type GivenDeployRequest = GivenPatience &
  WithDefaults<
    Omit<DeployRequest, keyof GivenPatience | "source">,
    keyof RequestOptions | "secrets" | "sourceConfig"
  > & {
    /** Where the code comes from. */
    readonly source: GivenSource;
  };

/** The same for a revision that exists already. */
export type GivenFollowRequest = GivenPatience & Pick<FollowRequest, "revisionId" | "target">;

/** What a deploy works with: the clients that `connect` returns; all others have a default. */
export type GivenDeployDeps = WithDefaults<DeployDeps, "clock" | "emit" | "signal" | "spoolDirectory">;

const { name, deploymentId, sourceConfig } = DEPLOY_OPTIONS;
const TargetShape = z
  .looseObject(shapesOf({ name, deploymentId }), "must be an object")
  .refine((target) => target.name !== undefined || target.deploymentId !== undefined, "has neither name nor id")
  .transform(targetOf);

const directoryShapes = shapesOf(DIRECTORY_OPTIONS);
const SourceShape: z.ZodType<DeploySource | EarlierSource> = z.discriminatedUnion(
  "source",
  [
    z
      .strictObject({
        source: z.literal("internal_source"),
        directory: somePath,
        workspace: somePath.optional(),
        ...directoryShapes,
      } satisfies ShapesOf<DirectorySource>)
      .transform((source) => ({ ...source, ...withDefaults(DIRECTORY_OPTIONS, source) })),
    z
      .strictObject({
        source: z.literal("github"),
        repoRef: someText,
        graphConfig: directoryShapes.graphConfig,
      } satisfies ShapesOf<RepositorySource>)
      .transform((source) => ({ ...source, graphConfig: source.graphConfig ?? DEPLOY_DEFAULTS.graphConfig })),
    z.strictObject({ source: z.literal("external_docker"), imageUri: someText } satisfies ShapesOf<ImageSource>),
    z.strictObject({ source: z.literal("revision"), revision: someText } satisfies ShapesOf<EarlierSource>),
  ],
  "must be an object whose source is internal_source, github, external_docker or revision",
);

const RequestShape = z.strictObject({
  target: TargetShape,
  source: SourceShape,
  ...shapesOf({ sourceConfig, ...REQUEST_OPTIONS }),
  secrets: z.array(z.strictObject({ name: someText, value: anyText }, "must have a name and a value")).optional(),
  knownId: someText.optional(),
  isTemporary: flag.optional(),
  record: somePath.optional(),
  ...PATIENCE_SHAPES,
} satisfies ShapesOf<DeployRequest>);

// Also the request of the deploy that has made the revision is one.
const FollowShape = z.looseObject({
  target: TargetShape,
  revisionId: someText,
  ...PATIENCE_SHAPES,
} satisfies ShapesOf<FollowRequest>);

const DepsShape = z.looseObject({
  controlPlane: objectWith<ControlPlane>(["get", "create", "patch", "within"], "a ControlPlane, as connect returns it"),
  agentServer: functionOf<DeployDeps["agentServer"]>(),
  timeLimit: objectOf<NonNullable<DeployDeps["timeLimit"]>>().optional(),
  silenceMilliseconds: z.number("must be a number of milliseconds").optional(),
  clock: clockShape.optional(),
  random: functionOf<() => number>().optional(),
  spoolDirectory: somePath.optional(),
  packing: objectWith<NonNullable<DeployDeps["packing"]>>(["take"], "an object with take").optional(),
  signal: abortSignal.optional(),
  emit: functionOf<DeployDeps["emit"]>().optional(),
  beforeFirstWrite: functionOf<NonNullable<DeployDeps["beforeFirstWrite"]>>().optional(),
  checkAdopted: functionOf<NonNullable<DeployDeps["checkAdopted"]>>().optional(),
  afterUpload: functionOf<NonNullable<DeployDeps["afterUpload"]>>().optional(),
  knownSources: functionOf<NonNullable<DeployDeps["knownSources"]>>().optional(),
} satisfies ShapesOf<DeployDeps>);

/** A request of a program with its own clients, and how it becomes complete; what is wrong with it is added to `faults`. */
export interface Whole<Value, Request> {
  readonly shape: z.ZodType<Value>;
  readonly complete: (given: Value, faults: string[]) => Request;
}

export const WHOLE_DEPLOY: Whole<z.infer<typeof RequestShape>, DeployRequest> = {
  shape: RequestShape,
  complete: ({ sourceConfig = {}, secrets, ...request }, faults) => {
    const { smokeRun: _, ...own } = request;
    const patience = readPatience(request, withDefaults(REQUEST_OPTIONS, request), faults);
    return requestOf({ ...own, ...patience }, { ...own, sourceConfig, secrets });
  },
};

export const WHOLE_FOLLOW: Whole<z.infer<typeof FollowShape>, FollowRequest> = {
  shape: FollowShape,
  complete: (request, faults) => {
    const { smokeRun: _, ...rest } = request;
    return { ...rest, ...readPatience(request, { wait: true }, faults) };
  },
};

/** The complete request and dependencies. Throws ArgumentsError with all that is wrong with both. */
export function readWhole<Value, Request>(
  called: string,
  [given, more]: readonly [unknown, unknown],
  { shape, complete }: Whole<Value, Request>,
): { readonly request: Request; readonly deps: DeployDeps } {
  const first = readArgument(shape, given, "the first argument");
  const { value: deps, ...second } = readArgument(DepsShape, more, "the second argument");
  const faults = [...first.faults];
  const request = first.value === undefined ? undefined : complete(first.value, faults);
  faults.push(...second.faults);
  if (faults.length > 0 || request === undefined || !deps) throw new ArgumentsError(called, faults);
  const { spoolDirectory = surroundings().spoolDirectory } = deps;
  const { clock = systemClock, signal = new AbortController().signal, emit = () => undefined } = deps;
  return { request, deps: { ...deps, clock, spoolDirectory, signal, emit } };
}
