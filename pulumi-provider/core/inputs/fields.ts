import * as z from "zod";
import { SOURCES } from "../../../src/deployment/options.ts";
import { choice, flag, texts } from "../../../src/contract/call-arguments.ts";
import { shapesOf } from "../../../src/contract/options.ts";
import { FIELD_OF_OPTION } from "../../../src/deployment/option-rules.ts";
import { PACKED, type DeploymentInputs } from "./inputs.ts";
import { parseTimeout } from "./timeouts.ts";

const { graphConfig: graphConfigPath, ...fields } = FIELD_OF_OPTION;
/** The inputs that are fields of the service's source revision config. */
export const WIRE_FIELDS = { ...fields, graphConfigPath };

const text = z.string("must be a string");
// A program's `undefined` is an input that is left out. An empty text is a value that got lost.
const line = text
  .refine((value) => value.trim() !== "", { error: "must not be empty", abort: true })
  .refine((value) => !/\p{Cc}/u.test(value), "contains a line break or another control character");
const named = (message: string) => z.record(z.string(), text, message);
const duration = text.refine(
  (value) => parseTimeout(value) !== undefined,
  "is not a valid duration (examples: 90s, 10m, 1h30m)",
);

// A program does not write these: they are options of the resource, or found in its inputs.
const OPTIONS = ["customTimeouts", "replaceOnChanges", "retainOnDelete", "secretSettings"] as const;

/** The shape of every input; rules that take several inputs together come on top of it. */
export const InputShapes = z.object({
  name: line,
  source: z.enum(SOURCES, `must be one of ${SOURCES.join(", ")}`),
  directory: z
    .strictObject(
      { path: line, ...shapesOf(PACKED) },
      {
        error: ({ code, keys }) =>
          code === "unrecognized_keys" ? `has unknown keys: ${String(keys)}` : "must be an object with a path",
      },
    )
    .optional(),
  graphConfigPath: line.optional(),
  repoRef: line.optional(),
  imageUri: line.refine((value) => !/\s/.test(value), "contains whitespace").optional(),
  sourceConfig: z.record(z.string(), z.unknown(), "must be an object").optional(),
  secrets: named("must be an object of names and values").optional(),
  secretsFromEnv: named("must be an object of names and variables").optional(),
  ignoreSecretChanges: texts.optional(),
  triggers: z.array(z.unknown(), "must be a list").optional(),
  wait: flag.optional(),
  timeoutSeconds: z
    .number("must be a number")
    .positive("must be more than 0")
    .max(604_800, "must be at most 604800 (a week)")
    .optional(),
  adopt: choice(["never", "ifExists"]).optional(),
  onDelete: choice(["delete", "retain"]).optional(),
  deletionProtection: flag.optional(),
  revisionDrift: choice(["redeploy", "ignore"]).optional(),
  controlPlaneUrl: line.optional(),
  tenantId: line.optional(),
  credential: z
    .union([z.strictObject({ env: line }), z.strictObject({ config: line })], "must be { env } or { config }")
    .optional(),
  fieldNames: named("must be an object of our names and theirs").optional(),
  customTimeouts: z
    .object({ create: duration.optional(), update: duration.optional(), delete: duration.optional() })
    .optional(),
  replaceOnChanges: texts.optional(),
  retainOnDelete: flag.optional(),
  secretSettings: texts.optional(),
} satisfies Readonly<Record<keyof DeploymentInputs | (typeof OPTIONS)[number], z.ZodType>>);

/** The same for what is left when inputs that are wrong are taken out. */
export const PartialShapes = InputShapes.partial();
/** Inputs whose shape is right, except where a value is not known yet. */
export type ShapedInputs = z.infer<typeof PartialShapes>;

/** The name of an input, or of an option that is passed as one. */
export type InputName = keyof typeof InputShapes.shape;

/** The names in the order in which errors are reported. */
export const INPUT_NAMES: readonly string[] = Object.keys(InputShapes.shape);

/** Those that a program does not write. */
export const OPTION_NAMES: ReadonlySet<string> = new Set(OPTIONS);

/** What an input is for: it decides what a change of it leads to. */
export type InputRole =
  /** Another one is another deployment. */
  | "identity"
  /** Part of a revision, or of what is sent with it. */
  | "revision"
  /** For the provider alone: a change is only noted. */
  | "local";

/** The role of each input, and of what the checks fill in. */
export const INPUT_ROLES: Readonly<Record<InputName | "sourceFiles" | "sourceHash" | "sourceSummary", InputRole>> = {
  name: "identity",
  source: "identity",
  controlPlaneUrl: "identity",
  tenantId: "identity",
  graphConfigPath: "revision",
  repoRef: "revision",
  imageUri: "revision",
  sourceHash: "revision",
  sourceConfig: "revision",
  secrets: "revision",
  secretsFromEnv: "revision",
  triggers: "revision",
  // What a directory holds counts, not where it lies nor which lines chose it.
  directory: "local",
  sourceSummary: "local",
  sourceFiles: "local",
  ignoreSecretChanges: "local",
  wait: "local",
  timeoutSeconds: "local",
  adopt: "local",
  onDelete: "local",
  deletionProtection: "local",
  revisionDrift: "local",
  credential: "local",
  fieldNames: "local",
  customTimeouts: "local",
  replaceOnChanges: "local",
  retainOnDelete: "local",
  secretSettings: "local",
};
