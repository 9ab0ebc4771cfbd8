import { posix } from "node:path";
import { closest } from "../text/closest.ts";
import { listed, printable, quoted } from "../text/quoted.ts";
import { KNOWN_KEYS } from "./graph-config-shape.ts";
import { OTHER_TARGETS, valueAt, type GraphConfig, type Target } from "./graph-config.ts";
import type { ProjectFiles } from "./project-files.ts";

/** The oldest versions that agent servers have images of. */
const OLDEST_PYTHON = { major: 3, minor: 11 } as const;
const OLDEST_NODE = 20;
const DISTROS = ["debian", "wolfi", "bookworm"];
const INSTALLERS = ["auto", "pip", "uv"];
const BUILD_TOOLS = ["pip", "setuptools", "wheel"];

/**
 * Settings that look wrong, as clauses. Which ones a service takes is its own affair, and changes with its versions: none
 * of them is an error.
 */
export function oddSettings(config: GraphConfig, files: ProjectFiles): readonly string[] {
  const { settings, uvRoot, dependencies } = config;
  const odd = (checks: typeof CHECKS) =>
    Object.entries(checks).flatMap(([key, check]) => {
      const value = settings[key];
      const words = value == null ? "" : check(value, files);
      return words === "" ? [] : [key + words];
    });
  return [
    ...(config.hasByteOrderMark
      ? ["the configuration file begins with a byte order mark, which readers of JSON refuse"]
      : []),
    // A key that is near to no other may be one of a newer service.
    ...Object.keys(settings).flatMap((key) => {
      const near = KNOWN_KEYS.includes(key) ? undefined : closest(key, KNOWN_KEYS);
      return near === undefined ? [] : [`${printable(key)} is not a known key; did you mean ${near}?`];
    }),
    ...odd(CHECKS),
    ...oddSource(settings["source"], uvRoot, dependencies),
    ...odd({ env: oddEnv }),
    ...OTHER_TARGETS.flatMap(({ key }) => {
      const value = valueAt(settings, key);
      return value == null || typeof value === "string" ? [] : [`${key}${shown(value)} should be a string`];
    }),
    ...reservedNames(config, files),
  ];
}

const OLDEST = "the oldest that agent servers are known to have";
// A registry with a port, names with slashes, a tag, a digest.
const IMAGE = /^[\w.-]+(?::\d+)?(?:\/[a-z\d]+(?:[._-]+[a-z\d]+)*)*(?::[\w.-]+)?(?:@sha256:[\da-f]{64})?$/;

/** What looks wrong about the value of a key, as the words behind the key; empty where nothing does. */
const CHECKS: Readonly<Record<string, (value: unknown, files: ProjectFiles) => string>> = {
  python_version: (value) => {
    if (typeof value !== "string") return `${shown(value)} should be a string such as "3.12"`;
    const [, major, minor, suffix] = /^(\d+)\.(\d+)(-.+)?$/.exec(value) ?? [];
    if (major === undefined) return ` ${quoted(value)} should have the form "3.12"`;
    if (suffix?.includes("bullseye") === true)
      return ` ${quoted(value)} names bullseye, which agent servers no longer have`;
    const [first, second] = [Number(major), Number(minor)];
    const isOld = first < OLDEST_PYTHON.major || (first === OLDEST_PYTHON.major && second < OLDEST_PYTHON.minor);
    return isOld ? ` ${quoted(value)} is older than 3.11, ${OLDEST}` : "";
  },
  node_version: (value) => {
    if (typeof value !== "string") return `${shown(value)} should be a string such as "22"`;
    if (!/^\d+$/.test(value)) return ` ${quoted(value)} should be a major version such as "22"`;
    return Number(value) < OLDEST_NODE ? ` ${quoted(value)} is older than 20, ${OLDEST}` : "";
  },
  api_version: (value) =>
    typeof value === "string" && /^(?:>?~=\s*)?\d+(?:\.\d+){0,2}(?:[.-]?[A-Za-z][\w.-]*)?$/.test(value)
      ? ""
      : `${shown(value)} should have the form "0.8"`,
  image_distro: (value) =>
    value === "bullseye"
      ? ` "bullseye" is a distribution that agent servers no longer have: use ${listed(DISTROS)}`
      : oddChoice(value, DISTROS),
  // An address may have a password in front of the registry, and is not repeated.
  base_image: (value) =>
    typeof value === "string" && IMAGE.test(value) ? "" : " should be the name of an image in lower case",
  pip_installer: (value) => oddChoice(value, INSTALLERS),
  keep_pkg_tools: (value) => {
    const isList =
      Array.isArray(value) && value.every((tool) => typeof tool === "string" && BUILD_TOOLS.includes(tool));
    if (isList || typeof value === "boolean") return "";
    return ` should be true, false or a list of ${listed(BUILD_TOOLS, { conjunction: "and" })}`;
  },
  pip_config_file: (value, files) => {
    if (typeof value !== "string") return `${shown(value)} should be a path`;
    return files.kindOf(value) === "file" ? "" : `: ${printable(value)} ${files.problemOf(value).text}`;
  },
};

function oddChoice(value: unknown, choices: readonly string[]): string {
  if (typeof value === "string" && choices.includes(value)) return "";
  return `${shown(value)} is not known: use ${listed(choices)}`;
}

function oddSource(value: unknown, uvRoot: string | undefined, dependencies: readonly string[]): readonly string[] {
  if (value == null) return [];
  if (uvRoot === undefined) return [`source should have the form {"kind": "uv", "root": "."}`];
  const unused = dependencies.length === 0 ? [] : ["dependencies are not used where source.kind is uv"];
  const root = (value as { readonly root?: unknown }).root;
  return [...unused, ...(root === undefined || root === uvRoot ? [] : [`source.root${shown(root)} should be a path`])];
}

// A list names variables that must be set where the agent runs.
function oddEnv(value: unknown): string {
  if (!Array.isArray(value)) return "";
  const odd = value.findIndex((name) => typeof name !== "string" || !/^[A-Za-z_]\w*(?:=|$)/.test(name));
  // The value may be a secret, and is not repeated.
  return odd < 0 ? "" : `[${String(odd)}] is not the name of a variable: a list names those that must be set`;
}

// Packages of the agent server itself, and what builds call the directory that they make.
const RESERVED: ReadonlySet<string> = new Set([
  ...["src", "pydantic", "orjson", "fastapi", "uvicorn", "psycopg", "httpx"],
  ...["langgraph", "langgraph_api", "langchain_core", "langsmith"],
]);

/** A directory without packaging is installed under its own name, or its directories are under theirs. */
function reservedNames(config: GraphConfig, files: ProjectFiles): readonly string[] {
  const isFile = (path: string) => files.kindOf(path) === "file";
  return config.dependencies.flatMap((path) => {
    if (!path.startsWith(".") || ["pyproject.toml", "setup.py"].some((name) => isFile(posix.join(path, name))))
      return [];
    const part = `the dependency ${printable(path)} has no pyproject.toml, and`;
    const name = posix.basename(posix.normalize(path));
    if (!isFile(posix.join(path, "__init__.py"))) {
      const reserved = config.targets.map((target) => packageOf(target, path)).find((each) => RESERVED.has(each ?? ""));
      return reserved === undefined ? [] : [`${part} its directory ${reserved} has a name that builds reserve`];
    }
    if (name.includes("-")) return [`${part} a name with a hyphen, which Python cannot import`];
    return RESERVED.has(name) ? [`${part} a name that builds reserve`] : [];
  });
}

/** The directory of a file of Python that lies right below `dependency`. */
function packageOf({ place }: Target, dependency: string): string | undefined {
  const [name, file, ...rest] = posix.relative(posix.normalize(dependency), posix.normalize(place)).split("/");
  return file?.endsWith(".py") === true && rest.length === 0 ? name : undefined;
}

/** A value behind its key in a sentence; an object or a list is not repeated. */
function shown(value: unknown): string {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? ` ${quoted(String(value))}` : "";
}
