import * as z from "zod";

/** What ends the name of a script, which has a default export. */
export const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;

// What a check of the whole file refuses, as JSON schema says it: editors show it before a step does.
const TARGET = {
  description: "A file and its export, `./src/agent.py:graph`, or a script with a default export, `./src/agent.ts`.",
  pattern: `${SCRIPT.source}|^[\\s\\S]+:[^:]+$`,
};
/** An empty text turns such a setting off. */
const OTHER_TARGET = { ...TARGET, type: ["string", "null"], pattern: `^\\s*$|${TARGET.pattern}` };
const setting = (description: string, more: object = {}) =>
  z
    .unknown()
    .optional()
    .meta({ description, ...more });
const withTarget = (description: string, key: string) => setting(description, { properties: { [key]: OTHER_TARGET } });
const text = (description: string, ...examples: readonly string[]) =>
  setting(description, { type: ["string", "null"], ...(examples.length === 0 ? {} : { examples }) });

const GraphTarget = z.union([z.string().meta(TARGET), z.looseObject({ path: z.string().meta(TARGET) })], {
  error: 'must be "./file:export" or an object with such a path',
});

/**
 * The configuration file of an agent project: which graphs it serves, and what they need. Only the first three keys are
 * checked here. The others are known ones, which a service may take in other forms, too.
 */
export const GraphConfigFile = z.looseObject(
  {
    graphs: z
      .record(z.string(), GraphTarget, {
        error: ({ input }) => (input === undefined ? "is missing" : "must be an object of graphs by their ids"),
      })
      .refine((graphs) => !Object.hasOwn(graphs, ""), "must give every graph a name")
      .refine((graphs) => Object.keys(graphs).length > 0, "must name at least one graph")
      .meta({
        description:
          "The graphs that the agent serves: each id with its target, or with an object that has it as `path`.",
        ...{ minProperties: 1, propertyNames: { minLength: 1 } },
      }),
    dependencies: z
      .array(z.string(), "must be a list of directories and packages")
      .nullish()
      .meta({
        description:
          "Packages by name, and directories that begin with a dot, relative to this file. `.` is the project itself.",
        examples: [["."]],
      }),
    env: z
      .union(
        [z.string(), z.array(z.string()), z.record(z.string(), z.unknown())],
        "must be a path, a list of names or an object",
      )
      .nullish()
      .meta({
        description:
          "An env file, an object of variables, or the names of variables that must be set. The file is never packed or sent.",
      }),
    $schema: text("The address of the JSON schema of this file, for editors."),
    api_version: text("The version of the agent server.", "0.8"),
    auth: withTarget("Authentication of the callers of the agent; `path` is its target.", "path"),
    base_image: text("The image that the image of the agent is built on."),
    build_command: text("What builds the project instead of the usual command."),
    checkpointer: withTarget("What keeps the state of threads; `path` is the target of one in the project.", "path"),
    docker_compose_file: text("More services for a run on this machine."),
    dockerfile_lines: setting("Lines that the Dockerfile of the agent gets."),
    encryption: withTarget("Encryption of what the server stores; `path` is its target.", "path"),
    http: withTarget("The HTTP server of the agent; `app` is the target of more routes.", "app"),
    image_distro: text("The distribution of the image.", "debian", "wolfi", "bookworm"),
    install_command: text("What installs the packages of the project instead of the usual command."),
    keep_pkg_tools: setting("Whether pip, setuptools and wheel stay in the image: true, false, or a list of them."),
    node_loader: setting("How modules of Node are loaded."),
    node_version: text("The major version of Node.", "22"),
    pip_config_file: text("The configuration file of pip, relative to this file."),
    pip_installer: text("What installs packages of Python.", "auto", "pip", "uv"),
    python_version: text("The version of Python.", "3.12"),
    source: setting("A uv project in the place of `dependencies`; `root` is its directory.", {
      examples: [{ kind: "uv", root: "." }],
    }),
    store: withTarget("The store for what agents remember; `path` is the target of one in the project.", "path"),
    ui: setting("Components of a user interface: each name with its file."),
    ui_config: setting("Settings of these components."),
    webhooks: setting("Settings of outgoing webhooks."),
  },
  "it is not a JSON object",
);

/** The keys that agent servers are known to take. */
export const KNOWN_KEYS: readonly string[] = Object.keys(GraphConfigFile.shape);
