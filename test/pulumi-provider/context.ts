import type { CheckContext } from "../../pulumi-provider/core/check/check.ts";
import { SourceLooks } from "../../pulumi-provider/core/check/source-looks.ts";
import { systemClock } from "../../src/http/clock.ts";

/** The mark that the engine puts where a value is not known yet. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const isUnknown = (value: unknown): boolean => value === UNKNOWN;

/** A stack and an environment in which everything is set. */
export const STACK: Readonly<Record<string, string>> = {
  "graph-deploy:controlPlaneUrl": "https://control.example/api",
  "graph-deploy:apiKey": "key-of-the-stack",
};

export interface Setting {
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly programDirectory?: string;
}

export function surroundings({ config = STACK, env = {} }: Setting = {}) {
  return { config: (key: string) => config[key], env: (name: string) => env[name] };
}

export function context(setting: Setting = {}): CheckContext & { readonly logged: string[] } {
  const logged: string[] = [];
  return {
    ...surroundings(setting),
    isUnknown,
    programDirectory: setting.programDirectory ?? "/nowhere",
    sources: new SourceLooks({ clock: systemClock, signal: new AbortController().signal }),
    log: (_severity, message) => logged.push(message),
    logged,
  };
}

export const IMAGE = { name: "a", source: "external_docker", imageUri: "registry/agent:1" } as const;
/** An image by its digest. */
export const PINNED = { ...IMAGE, imageUri: `registry/agent@sha256:${"1".repeat(64)}` } as const;
export const REPOSITORY = { name: "a", source: "github", repoRef: "main" } as const;
export const DIRECTORY = { name: "a", source: "internal_source", directory: { path: "." } } as const;
