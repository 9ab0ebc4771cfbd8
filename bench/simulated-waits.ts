import { createServer, type Server } from "node:http";
import { DEPLOY_ACTION_INPUTS } from "../action/deploy/options.ts";
import { parseDuration } from "../src/text/duration.ts";
import { DEPLOY_DEFAULTS } from "../src/deployment/request.ts";
import { limitOf } from "../src/http/time-limit.ts";
import { within } from "../src/deployment/run.ts";
import { takeUp, waitForRevision } from "../src/deployment/wait.ts";
import { connect, Redactor, type DeployEvent } from "../src/index.ts";
import { SimulatedClock } from "../test/wire/clocks.ts";
import { endOf, statusAt, type StatusWalk } from "./status-walk.ts";
import type { Random } from "./text.ts";

/** What it took to see that a revision is live. */
export interface Watched {
  /** Looks at the revision, without the request that found it. */
  readonly requests: number;
  /** From DEPLOYED to when it was known, milliseconds. */
  readonly delay: number;
}

const ANSWER_MILLISECONDS = 100;
const DAY_MILLISECONDS = 86_400_000;
const DEPLOYMENT = "00000000-0000-4000-8000-000000000001";
const REVISION = "00000000-0000-4000-8000-000000000002";

/** Looks at once and then after each pause, as peers do. */
export function fixedWait(walk: StatusWalk, pauseMilliseconds: number): Watched {
  for (let now = 0, requests = 1; ; now += ANSWER_MILLISECONDS + pauseMilliseconds, requests += 1) {
    const seen = statusAt(walk, now + ANSWER_MILLISECONDS / 2);
    if (seen === "DEPLOYED") return { requests, delay: now + ANSWER_MILLISECONDS - endOf(walk) };
  }
}

/** The wait of a deploy, whole: its code, its client and real requests; only the time is simulated. */
export class DeployWaits implements AsyncDisposable {
  readonly #server: Server;
  readonly #url: string;
  readonly #watch: Watch;

  private constructor(server: Server, url: string, watch: Watch) {
    this.#server = server;
    this.#url = url;
    this.#watch = watch;
  }

  /** Begins to serve on loopback. */
  static async start(): Promise<DeployWaits> {
    const watch = new Watch();
    const server = createServer((request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(watch.answer(request.url ?? "")));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    return new DeployWaits(server, `http://127.0.0.1:${port}`, watch);
  }

  /** Waits for a revision on each of these walks, with the inputs' default for the longest pause. */
  async run(walks: readonly StatusWalk[], random: Random): Promise<readonly Watched[]> {
    await using connection = connect({ url: this.#url, redactor: new Redactor() });
    const watched: Watched[] = [];
    for (const walk of walks) {
      const clock = this.#watch.begin(walk);
      let known = Number.NaN;
      const emit = (event: DeployEvent) => {
        if (event.type === "revision-status" && event.revision.status === "DEPLOYED") known = clock.now();
      };
      const signal = new AbortController().signal;
      const chance = () => random.fraction();
      const given = { ...connection, clock, random: chance, spoolDirectory: "", signal, emit };
      const deps = within(limitOf(DAY_MILLISECONDS, given), given);
      await waitForRevision(takeUp(found(walk), deps), deps);
      watched.push({ requests: this.#watch.requests, delay: known - endOf(walk) });
    }
    return watched;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** What the service sees of the current wait. */
class Watch {
  requests = 0;
  #walk: StatusWalk = [];
  #clock = new SimulatedClock();

  begin(walk: StatusWalk): SimulatedClock {
    this.#walk = walk;
    this.#clock = new SimulatedClock();
    this.requests = 0;
    return this.#clock;
  }

  answer(path: string): object {
    if (!path.endsWith(`/revisions/${REVISION}`)) {
      return { id: DEPLOYMENT, latest_revision_id: REVISION, url: "http://127.0.0.1/agent" };
    }
    this.requests += 1;
    this.#clock.pass(ANSWER_MILLISECONDS / 2);
    const status = statusAt(this.#walk, this.#clock.now());
    this.#clock.pass(ANSWER_MILLISECONDS / 2);
    return { id: REVISION, status };
  }
}

/** What a deploy knows when it begins to wait. */
function found(walk: StatusWalk) {
  const pollCapMilliseconds = parseDuration(DEPLOY_ACTION_INPUTS.defaults["poll-interval"]);
  if (pollCapMilliseconds === undefined) throw new Error("poll-interval has no default");
  return {
    name: "support-agent",
    request: { ...DEPLOY_DEFAULTS, pollCapMilliseconds, timeoutMilliseconds: DAY_MILLISECONDS },
    deployment: { id: DEPLOYMENT, latest_revision_id: REVISION },
    revision: { id: REVISION, status: statusAt(walk, 0) },
    graphs: undefined,
  };
}
