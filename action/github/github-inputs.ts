import { parseAddress } from "../../src/http/base-url.ts";
import { AddressError } from "../../src/http/errors.ts";
import { proxyFromEnvironment, type ProxySettings } from "../../src/http/proxy-settings.ts";
import type { TransportAnswer } from "../../src/http/transport.ts";
import { headerValue } from "../../front/options/endpoint.ts";
import { givenVariable, type Environment } from "../../front/environment.ts";
import type { InputReader } from "../../front/options/input-reader.ts";
import { readRunEvent, whoRestricts, type RunEvent } from "./run-event.ts";
import type { Host, Run } from "../../front/host.ts";
import { count, flag, line, text } from "../../src/contract/option-kinds.ts";
import { option } from "../../src/contract/options.ts";

/** What a step takes that can write a section of the comment, and what GitHub needs for it. */
export const COMMENT_OPTIONS = {
  comment: option(flag, {
    about:
      "Report this run in the one comment that graph-deploy keeps on the pull request. Needs `pull-requests: write`.",
    default: "false",
  }),
  commentKey: option(line, {
    about:
      "Name of the section in the comment. Two steps with the same name overwrite each other's section. Default: the name of the deployment.",
  }),
  commentPath: option(text, {
    about:
      "Path of a file to write the section of the comment to, relative to the workspace. The action `comment` can post it from a job that may write.",
  }),
  pullRequest: option(count(), {
    about: "Number of the pull request that the run is about. Needed only if the event of the run does not name it.",
  }),
  githubToken: option(text, {
    about: "Token for GitHub's API. Used only if another input needs GitHub, such as `comment`.",
    default: "${{ github.token }}",
    secret: true,
  }),
};

export type GitHubInputName = "github-token" | "pull-request";

/** What GitHub has said about its limits, and how long it has not answered: all connections of a step share it. */
export interface RateLimits {
  /** A limit is waited for once. */
  mayWait: boolean;
  /** Until then, in milliseconds of the clock, all requests have this answer. */
  limited: { readonly until: number; readonly answer: TransportAnswer } | undefined;
  /** How long a step that waits for limits again and again may still do so, milliseconds. */
  patience?: number | undefined;
  /** How long the step may take, milliseconds from its first connection: nothing is waited for beyond it. */
  timeoutMilliseconds?: number | undefined;
  /** When that is, by the clock. */
  end?: number;
  /** Until when waits are counted, by the clock; those of requests at the same time are one. */
  waitedUntil?: number;
  /** How long requests without an answer have taken, until when that is counted, and until when no other is sent. */
  stalls?: { readonly milliseconds: number; readonly counted: number; readonly until: number };
  /** Whether responses that are slow count as well as those that do not come. */
  countsSlow?: boolean;
  /** How long GitHub has asked to wait so far, in all. */
  askedMilliseconds?: number;
  /** When the latest writes were sent, or will be, by the clock. */
  writes?: readonly number[];
}

/** How long a sweep waits for limits, in all. */
export const SWEEP_PATIENCE_MILLISECONDS = 600_000;

export interface GitHubInputs {
  readonly token: string;
  /** The address of the API, which may have a path. */
  readonly api: URL;
  readonly repository: { readonly owner: string; readonly repo: string };
  /** The id of the repository, in digits, where the runner or the event says it. */
  readonly repositoryId?: string | undefined;
  /** The number that the input `pull-request` has. */
  readonly pullRequest: number | undefined;
  readonly event: RunEvent;
  readonly run: Run;
  /** PEM text. */
  readonly caCertificate?: string | undefined;
  readonly allowHttp: boolean;
  readonly proxy: ProxySettings;
  /** The step connects for each of its purposes, and all of them share this. */
  readonly limits: RateLimits;
}

interface GitHubReading {
  /** The inputs that ask for GitHub, such as `environment`; without any, GitHub is not used. */
  readonly asking: readonly string[];
  /** The `timeout` of the step: nothing that GitHub asks for is waited for beyond it. */
  readonly timeoutMilliseconds?: number;
  /** True for a sweep, which waits for limits again and again, for ten minutes in all. */
  readonly isSweep?: boolean;
  /** True where the work of the step depends on GitHub: responses may be slow. */
  readonly isPatient?: boolean;
  readonly caCertificate?: string | undefined;
  readonly allowHttp: boolean;
}

const DEFAULT_API = "https://api.github.com";

/**
 * Reads what GitHub needs; undefined when no input asks for it, and when this run may not write there, which a notice or
 * a warning says. Only an unusable input is an error.
 */
export async function readGitHub(
  reader: InputReader<GitHubInputName>,
  { env, run }: Host,
  { asking, caCertificate, allowHttp, timeoutMilliseconds, isSweep = false, isPatient = false }: GitHubReading,
): Promise<GitHubInputs | undefined> {
  const pullRequest = reader.count("pull-request");
  const token = headerValue(reader, "github-token", reader.text("github-token"));
  if (asking.length === 0) return undefined;
  const inputs = asking.map((input) => `\`${input}\``).join(" and ");
  const off = (why: string) => {
    reader.warn(`${inputs} ${asking.length === 1 ? "has" : "have"} no effect: ${why}.`);
  };
  const event = await readRunEvent(env);
  const restricts = whoRestricts(env, event);
  if (restricts !== undefined) {
    const whose = restricts === "fork" ? "for a fork" : "that Dependabot starts";
    reader.notice(
      `GitHub does not let a run ${whose} write to the repository: ${inputs} ${asking.length === 1 ? "has" : "have"} no effect.`,
    );
    return undefined;
  }
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(givenVariable(env, "GITHUB_REPOSITORY") ?? "") ?? [];
  const api = readApi(env, allowHttp);
  if (token === undefined) off("`github-token` is empty");
  else if (owner === undefined || repo === undefined) off("GITHUB_REPOSITORY does not name a repository");
  else if (!api) off("GITHUB_API_URL is not a usable address");
  else {
    return {
      token,
      api,
      repository: { owner, repo },
      repositoryId: givenVariable(env, "GITHUB_REPOSITORY_ID") ?? event.repositoryId?.toString(),
      pullRequest,
      event,
      run: await run(),
      caCertificate,
      allowHttp,
      limits: {
        mayWait: true,
        limited: undefined,
        timeoutMilliseconds,
        countsSlow: !isPatient,
        patience: isSweep ? SWEEP_PATIENCE_MILLISECONDS : undefined,
      },
      // What is wrong with a proxy is reported where the service is read.
      proxy: proxyFromEnvironment(
        (name) => givenVariable(env, name),
        () => undefined,
      ),
    };
  }
  return undefined;
}

function readApi(env: Environment, allowHttp: boolean): URL | undefined {
  try {
    return parseAddress(givenVariable(env, "GITHUB_API_URL") ?? DEFAULT_API, { allowHttp });
  } catch (error) {
    if (error instanceof AddressError) return undefined;
    throw error;
  }
}
