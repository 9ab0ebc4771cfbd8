import type { CheckFailure } from "../core/inputs/failures.ts";
import type { Properties } from "../core/state/state.ts";
import { DeploymentProvider } from "../deployment-provider.ts";
import type { Host } from "../host.ts";
import type { Running } from "../running.ts";
import { Deployments } from "./deployments.ts";
import { FUNCTIONS } from "./functions.ts";
import { changedSettings, configReader, keptSettings, plainTextWarnings, settingFailures } from "./settings.ts";
import { plain } from "./values.ts";

const DEPLOYMENT = "graph-deploy:index:Deployment";

/** What a program asked for is not in the schema. */
class UnknownTokenError extends Error {}

/** One provider with its settings: the engine starts a process for each. */
export class Plugin {
  /** JSON, as Pulumi defines it. */
  readonly schema: string;
  readonly #host: Host;
  readonly #running: Running;
  readonly #deployments: Deployments;

  constructor(host: Host, running: Running, schema: string) {
    this.schema = schema;
    this.#host = host;
    this.#running = running;
    this.#deployments = new Deployments(new DeploymentProvider(host), host);
  }

  /** The settings as a state keeps them, and all that is wrong with them; what the stack has in plain text is warned of. */
  async checkConfig(
    settings: Properties,
    urn: string,
  ): Promise<{ readonly inputs: Properties; readonly failures: readonly CheckFailure[] }> {
    const host = this.#host;
    return await host.answer({}, async () => {
      const { env, isUnknown, programDirectory } = host;
      const log = host.tellerOf({});
      for (const warning of await plainTextWarnings(urn, programDirectory)) log("warning", warning);
      return { inputs: keptSettings(settings), failures: settingFailures(plain(settings), { env, isUnknown }) };
    });
  }

  /** The settings that differ. None of them is another provider: whether another address is another deployment, each deployment says. */
  diffConfig(olds: Properties, news: Properties): readonly string[] {
    return changedSettings(plain(olds), plain(news));
  }

  configure(settings: Properties): void {
    this.#host.configure(configReader(plain(settings)));
  }

  /** The resource that a call is about; there is one kind. */
  deployments(request: { getType(): string; getUrn(): string }): Deployments {
    // Engines before 3.134 send no type: it is the next to last part of the URN.
    const type = request.getType() || (request.getUrn().split("::").at(-2)?.split("$").at(-1) ?? "");
    if (type !== DEPLOYMENT && !type.endsWith("dynamic/graph-deploy:Deployment")) {
      throw new UnknownTokenError(`The provider graph-deploy has no resource ${type}; it has ${DEPLOYMENT}.`);
    }
    return this.#deployments;
  }

  async invoke(
    token: string,
    args: Properties,
  ): Promise<{ readonly result: Properties; readonly failures: readonly CheckFailure[] }> {
    const known: Readonly<Record<string, (typeof FUNCTIONS)[keyof typeof FUNCTIONS]>> = FUNCTIONS;
    const called = Object.hasOwn(known, token) ? known[token] : undefined;
    if (!called) {
      const names = Object.keys(FUNCTIONS).join(", ");
      throw new UnknownTokenError(`The provider graph-deploy has no function ${token}; it has ${names}.`);
    }
    const given = plain(args);
    const failures = called.failuresIn(given);
    if (failures.length > 0) return { result: {}, failures };
    const host = this.#host;
    const result = await host.answer({}, async () => await called.call(given, host.depsOf({}, {}).controlPlane));
    return { result, failures: [] };
  }

  /** Ends what runs; every operation says how far it came. */
  cancel(): void {
    this.#running.cancel();
  }
}
