import { onTestFinished } from "vitest";
import { connectGitHub, type GitHub as Client } from "../../action/github/client.ts";
import { Redactor } from "../../src/http/redactor.ts";
import type { Clock } from "../../src/http/clock.ts";
import type { GitHub } from "./server.ts";

/** How a client of the steps is connected. */
export interface Connecting {
  readonly clock: Clock;
  readonly random: () => number;
  /** The job's own token when absent. */
  readonly token?: string;
}

/** The steps' own client of this GitHub, closed with the test. */
export async function connected(github: GitHub, { clock, random, token = github.token }: Connecting): Promise<Client> {
  const [owner = "", repo = ""] = github.state.name.split("/");
  const inputs = {
    ...{ token, api: new URL(github.url), repository: { owner, repo }, pullRequest: undefined },
    ...{ event: {}, run: {}, allowHttp: true, proxy: {} },
    limits: { mayWait: true, limited: undefined },
  };
  const signal = new AbortController().signal;
  const client = await connectGitHub(inputs, { redactor: new Redactor(), signal, clock, random });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}
