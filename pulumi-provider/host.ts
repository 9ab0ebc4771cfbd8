import pLimit from "p-limit";
import type { DeployDeps } from "../src/deployment/deps.ts";
import { limitOf } from "../src/http/time-limit.ts";
import type { Clock } from "../src/http/clock.ts";
import { Redactor } from "../src/http/redactor.ts";
import { retryText } from "../src/http/retry.ts";
import { ForeignText } from "../src/text/foreign-text.ts";
import type { Surroundings } from "./core/service/connection.ts";
import { SILENCE_MILLISECONDS, type ServiceInputs } from "./core/service/service.ts";
import { Journal, type JournalPlace } from "./core/operations/journal.ts";
import { withAdvice } from "./core/advice.ts";
import { secretValuesIn } from "./core/check/secrets.ts";
import { SourceLooks } from "./core/check/source-looks.ts";
import { Fingerprints } from "./core/state/fingerprints.ts";
import type { HolderMarks } from "./core/state/holder-marks.ts";
import { textIn, type Properties } from "./core/state/state.ts";
import type { IsUnknown } from "./core/state/unknown-values.ts";
import { Connections } from "./connections.ts";
import { type EngineLog, type Severity, WaitLines } from "./engine-log.ts";
import { HostError } from "./host-error.ts";
import type { Running } from "./running.ts";

/** What the process of the providers hands in. */
export interface HostOptions {
  readonly env: (name: string) => string | undefined;
  readonly clock: Clock;
  readonly log: EngineLog;
  readonly running: Running;
  /** Absolute; the engine starts the process in the directory of the program. */
  readonly programDirectory: string;
  /** An existing directory for archives while they are sent. */
  readonly temporaryDirectory: string;
  readonly isUnknown: IsUnknown;
  /** Where operations are written down while they run; without it, nothing outlives the process. */
  readonly journals?: JournalPlace | undefined;
  /** Which resources hold which deployments; without it, only this process knows. */
  readonly marks: HolderMarks | undefined;
}

type Tell = (severity: Severity, message: string, options?: { readonly ephemeral: boolean }) => void;

/** What the deployments of one process share: connections, looks at directories, the log, the secrets to keep out of it. */
export class Host implements Surroundings {
  readonly env: (name: string) => string | undefined;
  readonly programDirectory: string;
  readonly sources: SourceLooks;
  readonly isUnknown: IsUnknown;
  readonly marks: HolderMarks | undefined;
  readonly fingerprints = new Fingerprints();
  readonly #options: HostOptions;
  readonly #redactor = new Redactor();
  readonly #text = new ForeignText((text) => this.#redactor.text(text));
  readonly #connections: Connections;
  // What is packed takes some hundred megabytes until it is sent.
  readonly #packing = { take: pLimit(1) };
  #config: Surroundings["config"] = () => undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    this.env = options.env;
    this.programDirectory = options.programDirectory;
    this.isUnknown = options.isUnknown;
    this.marks = options.marks;
    this.sources = new SourceLooks({ clock: options.clock, signal: options.running.signal });
    this.#connections = new Connections(
      {
        clock: options.clock,
        redactor: this.#redactor,
        // Deployments share a connection: the address in the line identifies it.
        onRetry: (notice) => {
          options.log.write("info", this.#text.line(retryText(notice)), { ephemeral: true });
        },
      },
      (message) => {
        options.log.write("warning", message);
      },
    );
  }

  /** Takes the configuration; at once, since other calls do not wait for it. */
  configure(config: Surroundings["config"]): void {
    this.#config = config;
  }

  readonly config = (key: string): string | undefined => this.#config(key);

  /** Where an operation of this resource is written down; undefined where its engine does not say which one it is. */
  journalOf(properties: Properties): Journal | undefined {
    const { journals } = this.#options;
    const { __urn: urn, controlPlaneUrl, tenantId, name } = properties;
    if (!journals || typeof urn !== "string") return undefined;
    const key = [urn, this.programDirectory, controlPlaneUrl, tenantId, name];
    return Journal.in({ ...journals, fingerprints: this.fingerprints }, key);
  }

  /** Tells sentences about the deployment that these properties name. */
  tellerOf(properties: Properties): Tell {
    const write = this.#writerOf(properties);
    return (severity, message, options) => {
      write(severity, this.#text.line(message), options);
    };
  }

  /** Runs a call of the engine, and throws nothing but HostError. */
  async answer<Result>(properties: Properties, call: () => Promise<Result>): Promise<Result> {
    for (const value of secretValuesIn(properties, this)) this.#redactor.add(value);
    const { log, running } = this.#options;
    try {
      return await running.run(call);
    } catch (thrown) {
      throw new HostError(thrown, properties["__provider"], (text) => this.#text.line(text));
    } finally {
      await log.flush();
    }
  }

  /** What the steps of an operation work with, which asks a service that does not respond for `silenceMilliseconds`. */
  depsOf(
    properties: Properties,
    inputs: ServiceInputs,
    { silenceMilliseconds = SILENCE_MILLISECONDS }: Pick<DeployDeps, "silenceMilliseconds"> = {},
  ): DeployDeps {
    const { clock, running, temporaryDirectory: spoolDirectory } = this.#options;
    const { controlPlane, agentServer } = this.#connections.of(inputs, this);
    const { signal } = running;
    const write = this.#writerOf(properties);
    const lines = new WaitLines(this.#text);
    return {
      controlPlane: controlPlane.within(limitOf(Number.POSITIVE_INFINITY, { clock, silenceMilliseconds })),
      ...{ agentServer, clock, signal, silenceMilliseconds, spoolDirectory, packing: this.#packing },
      emit: (event) => {
        const line = lines.of(withAdvice(event));
        if (line) write(line.severity, this.#text.lines(line.message).join("\n"), { ephemeral: line.ephemeral });
      },
    };
  }

  /** Writes with the resource that the engine shows a line with, where it says which one it is. */
  #writerOf(properties: Properties): Tell {
    const urn = textIn(properties, "__urn") ?? undefined;
    const name = textIn(properties, "name");
    // The host of dynamic providers does not say which resource a call is about: the name distinguishes the lines of a run.
    const isNamed = urn === undefined && name !== null && !this.isUnknown(name);
    const prefix = isNamed ? `${this.#text.line(name)}: ` : "";
    return (severity, message, options) => {
      this.#options.log.write(severity, `${prefix}${message}`, { ...options, urn });
    };
  }
}
