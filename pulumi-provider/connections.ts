import { GraphDeployError } from "../src/contract/graph-deploy-error.ts";
import type { Connection } from "../src/connection.ts";
import { proxyFromEnvironment } from "../src/http/proxy-settings.ts";
import { uncheckedTlsWarning } from "../src/http/unchecked-tls.ts";
import { connectionOf, fill, type Surroundings } from "./core/service/connection.ts";
import { openService, type ServiceInputs, type TravelOptions } from "./core/service/service.ts";

/** A setting of the machine keeps requests from travelling. */
class ProxySettingsError extends GraphDeployError {
  readonly code = "PROXY_SETTINGS";
}

/**
 * The connections of this process: deployments that name the same service, workspace and key share one. They are open
 * until the process ends.
 */
export class Connections {
  readonly #options: Omit<TravelOptions, "proxy">;
  readonly #warn: (message: string) => void;
  readonly #open = new Map<string, Connection>();

  /** `warn` gets what is unsafe about all connections, once. */
  constructor(options: Omit<TravelOptions, "proxy">, warn: (message: string) => void = () => undefined) {
    this.#options = options;
    this.#warn = warn;
  }

  /** Throws ConnectionSettingsError, ProxySettingsError or AddressError. */
  of(inputs: ServiceInputs, surroundings: Surroundings): Connection {
    const key = JSON.stringify([connectionOf(inputs, surroundings), inputs.fieldNames]);
    const open = this.#open.get(key);
    if (open) return open;
    const proxy = proxyFromEnvironment(
      (name) => fill(surroundings.env(name)),
      (name, fault) => {
        throw new ProxySettingsError(`The environment variable ${name} ${fault}.`, {
          advice: "Correct or unset it, also the variable with the same name in lower case.",
        });
      },
    );
    const unchecked = uncheckedTlsWarning((name) => fill(surroundings.env(name)));
    if (unchecked !== "" && this.#open.size === 0) this.#warn(unchecked);
    const connection = openService(inputs, surroundings, { ...this.#options, proxy });
    this.#open.set(key, connection);
    return connection;
  }
}
