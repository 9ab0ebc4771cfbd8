import * as core from "@actions/core";
import * as z from "zod";
import { systemClock, type Clock } from "../../../src/http/clock.ts";
import { HttpClient } from "../../../src/http/http-client.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { messageOf } from "../../../src/text/reasons.ts";
import { readCaCertificate } from "../../../front/options/certificate.ts";
import type { Environment } from "../../../front/environment.ts";
import { InputReader } from "../../../front/options/input-reader.ts";
import { runnerHost } from "../../host.ts";
import { countingStalls, makeGitHubFetch } from "../fetch.ts";
import { readGitHub } from "../github-inputs.ts";
import { isOpen, RECORD_STATES, statusBody, Statuses } from "./states.ts";

/** A record as it is saved for the post script: what it is, and the state in which it should end. */
export type SavedRecord = z.infer<typeof Saved>;
const Saved = z.object({
  owner: z.string(),
  repo: z.string(),
  // Absent while no response names it: then the rest finds it.
  id: z.int().positive().optional(),
  find: z.object({ environment: z.string(), key: z.string(), sha: z.string(), task: z.string() }),
  state: z.enum(RECORD_STATES),
  description: z.string().optional(),
  logUrl: z.string().optional(),
  environmentUrl: z.string().optional(),
});

const DEFAULTS = { "github-token": "", "pull-request": "", "ca-certificate": "", "allow-http": "false" } as const;

const Listed = z.array(
  z.object({ id: z.int().positive(), payload: z.object({ key: z.string().optional() }).catch({}) }),
);

interface PostSurroundings {
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly mask: (secret: string) => void;
}

// GitHub may carry out later what it was sent, and list it later still: how long to wait before each look.
const PAUSES_MILLISECONDS = [0, 2_000, 4_000];

/**
 * Closes the record that a main left open: as an error if it was killed, or as it ended if GitHub did not take that then.
 * One whose response did not come is looked for. It takes a few requests, and no client is loaded for them. A failure to
 * do so is only a warning.
 */
export async function closeLeft(
  env: Environment,
  saved: string,
  { clock = systemClock, warn = core.warning, mask = core.setSecret }: Partial<PostSurroundings> = {},
): Promise<void> {
  try {
    await close(env, Saved.parse(JSON.parse(saved)), { clock, mask });
  } catch (error) {
    warn(`The deployment record on GitHub could not be closed: ${messageOf(error)}`);
  }
}

async function close(
  env: Environment,
  { owner, repo, find, state, ...left }: SavedRecord,
  { clock, mask }: Omit<PostSurroundings, "warn">,
): Promise<void> {
  const host = runnerHost({ env, stdout: { write: () => undefined } });
  const reader = new InputReader(host, { defaults: DEFAULTS, neverEmpty: {} });
  const caCertificate = await readCaCertificate(reader, host.place);
  const allowHttp = reader.boolean("allow-http");
  const inputs = await readGitHub(reader, host, { asking: ["environment"], caCertificate, allowHttp });
  if (!inputs) return;
  const { token, api, proxy, limits } = inputs;
  // What main has waited for counts too.
  const stalled = Number(env["STATE_github-stalled"] ?? "");
  if (stalled > 0) limits.stalls = { milliseconds: stalled, counted: -Infinity, until: -Infinity };
  const redactor = new Redactor(mask);
  redactor.add(token);
  await using http = new HttpClient({
    caCertificate,
    allowHttp,
    proxy,
    redactor,
    clock,
    onRetry: countingStalls({ limits, clock }),
  });
  const { sender, signal } = http;
  const fetch = makeGitHubFetch({ sender, clock, signal, api, limits, longestWaitMilliseconds: 0 });
  const headers = { authorization: `token ${token}`, "user-agent": http.userAgent };
  const records = `${api.href.replace(/\/+$/, "")}/repos/${owner}/${repo}/deployments`;
  /** What there is at an address; undefined when it is gone. */
  const read = async (url: string): Promise<unknown> => {
    const response = await fetch(url, { headers });
    // The removal of a preview deletes its records, also those of a run that is not over.
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`GitHub returned ${String(response.status)}`);
    return await response.json();
  };
  const found = async (): Promise<number | undefined> => {
    const { environment, key, sha, task } = find;
    const query = new URLSearchParams({ environment, sha, task, per_page: "30" });
    for (const pause of PAUSES_MILLISECONDS) {
      await clock.sleep(pause);
      const listed = Listed.parse((await read(`${records}?${query.toString()}`)) ?? []);
      const own = listed.find(({ payload }) => payload.key === key);
      if (own) return own.id;
    }
    return undefined;
  };
  const id = left.id ?? (await found());
  if (id === undefined) return;
  const url = `${records}/${String(id)}/statuses`;
  const statuses = await read(`${url}?per_page=1`);
  if (statuses === undefined) return;
  const [latest] = Statuses.parse(statuses);
  if (!isOpen(latest?.state)) return;
  const written = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(statusBody(state, left)),
  });
  if (!written.ok) throw new Error(`GitHub returned ${String(written.status)}`);
}
