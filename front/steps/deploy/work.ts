import { connectTo } from "../../../src/connection.ts";
import { warningAt } from "../../../src/contract/advice.ts";
import type { DeployDeps } from "../../../src/deployment/deps.ts";
import { deploy } from "../../../src/deployment/deploy.ts";
import { dryRun } from "../../../src/deployment/dry-run.ts";
import type { DeployEvent, Emit } from "../../../src/deployment/events.ts";
import { follow } from "../../../src/deployment/follow.ts";
import type { DeployRequest } from "../../../src/deployment/request.ts";
import { DEPLOY_ADVICE } from "../../account/advice.ts";
import { reachService } from "../rehearsal.ts";
import { retriesTo, type Surroundings } from "../run-step.ts";
import { makeSpool } from "../spool.ts";
import type { TracingSurroundings } from "../tracing.ts";
import type { DeployOptions, FollowOptions } from "./inputs.ts";

export type Ended = Extract<DeployEvent, { type: "ended" }>;

export interface StepDeps extends DeployDeps {
  /** Awaited by a deploy that tidies up after its end, so that the end is known elsewhere by then. */
  readonly onEnd?: ((ended: Omit<Ended, "type">) => Promise<void>) | undefined;
}

/** What a door changes of the work of the step. */
export interface How extends Pick<StepDeps, "beforeFirstWrite" | "knownSources" | "onEnd"> {
  /** What to deploy, in the place of the request of the options. */
  readonly request?: DeployRequest;
  /** Deploys, in the place of `deploy`. */
  readonly deployAs?: ((request: DeployRequest, deps: StepDeps) => Promise<unknown>) | undefined;
  /** Hears of what happens before the others do. */
  readonly listen?: Emit;
}

/** The work of the step, for what a door puts around it. */
export interface Work {
  /** Tells everybody who listens. */
  readonly emit: Emit;
  readonly run: (how?: How) => Promise<void>;
}

/**
 * Deploys, shows what a deploy would do, or waits for a revision, at the service that the options name. `around` is what a
 * door does besides: it runs the work once, or not at all.
 */
export async function deployStep(
  options: DeployOptions | FollowOptions,
  { host, redactor, signal, clock, emit: report }: Surroundings<DeployEvent>,
  around: (work: Work) => Promise<void> = ({ run }) => run(),
): Promise<void> {
  const { connection } = options;
  const { service, fieldNames } = connection;
  const listeners = [report];
  const tell: Emit = (event) => {
    for (const listen of listeners) listen(event);
  };
  const run = async ({ request, deployAs = deploy, listen, onEnd, ...hooks }: How = {}): Promise<void> => {
    const asked = options.task === "follow" ? options : { ...options, request: request ?? options.request };
    await using reached = await reachService(service, host.place, fieldNames);
    const local = reached.endpoint;
    await using tracing = await traceOf(asked, { redactor, signal, emit: report, local });
    listeners.unshift(...[listen, tracing?.note].filter((listener) => listener !== undefined));
    let ended: Ended | undefined;
    const emit: Emit = (event) => {
      const told = toldOf(event, reached.isRehearsal);
      if (told.type === "ended") ended = told;
      tell(told);
    };
    await using control = connectTo(reached.endpoint, {
      ...connection,
      redactor,
      signal,
      clock,
      onRetry: retriesTo(emit),
    });
    await using spool = await makeSpool(host);
    const deps = { ...control, ...hooks, onEnd, clock, spoolDirectory: spool.directory, signal, emit };
    try {
      if (asked.task === "follow") await follow(asked.request, deps);
      else if (asked.task === "dry-run") await dryRun(asked.request, deps);
      else {
        const { attempt } = host.place;
        if (attempt > 1 && asked.request.record === undefined) {
          const reason = `without \`deploy-record\`, what attempt ${String(attempt - 1)} of this run did is unknown`;
          emit({ type: "recalled", verdict: "new", reason });
        }
        await deployAs(asked.request, deps);
      }
    } catch (error) {
      tracing?.fail(error);
      throw error;
    } finally {
      if (ended) await onEnd?.(ended);
    }
  };
  await around({ run, emit: tell });
}

/** What the user is told: with the option that helps, and without the pages of a local service, which end with the step. */
function toldOf(event: DeployEvent, isRehearsal: boolean): DeployEvent {
  const told = event.type === "warning" ? { ...event, message: warningAt(DEPLOY_ADVICE, event) } : event;
  return isRehearsal && "page" in told ? { ...told, page: undefined } : told;
}

// A function by itself: the compiler leaves the extension of an import() alone in one that has an `await using`.
async function traceOf(options: DeployOptions | FollowOptions, surroundings: TracingSurroundings<DeployEvent>) {
  if (!options.trace || options.task === "dry-run") return undefined;
  const { openTrace } = await import("./trace.ts");
  return openTrace(options, options.trace, surroundings);
}
