import * as core from "@actions/core";
import * as z from "zod";
import { systemClock, type Clock } from "../../../src/http/clock.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { messageOf } from "../../../src/text/reasons.ts";
import { readCaCertificate } from "../../../front/options/certificate.ts";
import type { Environment } from "../../../front/environment.ts";
import { InputReader } from "../../../front/options/input-reader.ts";
import { runnerHost } from "../../host.ts";
import { connectGitHub } from "../client.ts";
import { unlessGone } from "../errors.ts";
import { readGitHub } from "../github-inputs.ts";
import { findOwn } from "./record.ts";
import { isOpen, RECORD_STATES, setState, statusesOf } from "./states.ts";

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

interface PostSurroundings {
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly mask: (secret: string) => void;
}

// GitHub may carry out later what it was sent, and list it later still: how long to wait before each look.
const PAUSES_MILLISECONDS = [0, 2_000, 4_000];

/**
 * Closes the record that a main left open: as an error if it was killed, or as it ended if GitHub did not take that then.
 * One whose response did not come is looked for. It takes a few requests. A failure to do so is only a warning.
 */
export async function closeLeft(
  env: Environment,
  saved: string,
  { clock = systemClock, warn = core.warning, mask = core.setSecret }: Partial<PostSurroundings> = {},
): Promise<void> {
  try {
    const { owner, repo, find, state, ...left } = Saved.parse(JSON.parse(saved));
    const host = runnerHost({ env, stdout: { write: () => undefined } });
    const reader = new InputReader(host, { defaults: DEFAULTS, neverEmpty: {} });
    const caCertificate = await readCaCertificate(reader, host.place);
    const allowHttp = reader.boolean("allow-http");
    const inputs = await readGitHub(reader, host, { asking: ["environment"], caCertificate, allowHttp });
    if (!inputs) return;
    // What main has waited for counts too.
    const stalled = Number(env["STATE_github-stalled"] ?? "");
    if (stalled > 0) inputs.limits.stalls = { milliseconds: stalled, counted: -Infinity, until: -Infinity };
    const redactor = new Redactor(mask);
    await using github = connectGitHub(
      { ...inputs, repository: { owner, repo } },
      { redactor, clock, longestWaitMilliseconds: 0 },
    );
    const found = async (): Promise<number | undefined> => {
      for (const pause of PAUSES_MILLISECONDS) {
        await clock.sleep(pause);
        const own = await unlessGone(findOwn(github, find));
        if (own !== undefined) return own;
      }
      return undefined;
    };
    const id = left.id ?? (await found());
    if (id === undefined) return;
    // The removal of a preview deletes its records, also those of a run that is not over.
    const statuses = await unlessGone(statusesOf(github, id, 1));
    if (statuses && isOpen(statuses[0]?.state)) await setState(github, id, state, left);
  } catch (error) {
    warn(`The deployment record on GitHub could not be closed: ${messageOf(error)}`);
  }
}
