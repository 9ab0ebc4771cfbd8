import * as core from "@actions/core";
import * as z from "zod";
import { systemClock } from "../../../src/http/clock.ts";
import { HttpClient } from "../../../src/http/http-client.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { readCaCertificate } from "../../inputs/certificate.ts";
import { InputReader, type Environment } from "../../inputs/input-reader.ts";
import { readRunner } from "../../inputs/runner.ts";
import { makeGitHubFetch } from "../fetch.ts";
import { readGitHub } from "../github-inputs.ts";
import { RECORD_STATES, statusBody, Statuses } from "./record.ts";
import type { SavedRecord } from "./recorder.ts";

const Left = z.object({
  owner: z.string(),
  repo: z.string(),
  id: z.int().positive(),
  state: z.enum(RECORD_STATES),
  description: z.string().optional(),
  logUrl: z.string().optional(),
  environmentUrl: z.string().optional(),
});

const DEFAULTS = { "github-token": "", "pull-request": "", "ca-certificate": "", "allow-http": "false" } as const;

/**
 * Closes the record that a main left open: as an error if it was killed, or as it ended if GitHub did not take that then.
 * It takes two requests, and no client is loaded for them. A failure to do so is only a warning.
 */
export async function closeLeft(env: Environment, saved: string): Promise<void> {
  try {
    await close(env, Left.parse(JSON.parse(saved)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    core.warning(`The deployment record on GitHub could not be closed: ${reason}`);
  }
}

async function close(env: Environment, { id, owner, repo, state, ...facts }: SavedRecord): Promise<void> {
  const reader = new InputReader(env, { defaults: DEFAULTS, neverEmpty: {} });
  const caCertificate = await readCaCertificate(reader, readRunner(env));
  const allowHttp = reader.boolean("allow-http");
  const inputs = await readGitHub(reader, env, { asking: ["environment"], caCertificate, allowHttp });
  if (inputs === undefined) return;
  const { token, api, proxy, limits } = inputs;
  const redactor = new Redactor(core.setSecret);
  redactor.add(token);
  await using http = new HttpClient({ caCertificate, allowHttp, proxy, redactor });
  const { sender, signal } = http;
  const fetch = makeGitHubFetch({ sender, clock: systemClock, signal, api, limits, longestWaitMilliseconds: 0 });
  const headers = { authorization: `token ${token}`, "user-agent": http.userAgent };
  const url = `${api.href.replace(/\/+$/, "")}/repos/${owner}/${repo}/deployments/${String(id)}/statuses`;
  const read = await fetch(`${url}?per_page=1`, { headers });
  // The removal of a preview deletes its records, also those of a run that is not over.
  if (read.status === 404) return;
  if (!read.ok) throw new Error(`GitHub returned ${String(read.status)}`);
  const [latest] = Statuses.parse(await read.json());
  if (latest !== undefined && latest.state !== "in_progress") return;
  const written = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(statusBody(state, facts)),
  });
  if (!written.ok) throw new Error(`GitHub returned ${String(written.status)}`);
}
