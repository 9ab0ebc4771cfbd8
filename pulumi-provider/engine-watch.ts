import { connect } from "node:net";

const LONGEST_LOOK_MILLISECONDS = 1_000;

/**
 * Whether the engine of a host is gone: it took connections once, and refuses two in a row. A killed engine cannot end
 * Pulumi's host of dynamic providers, whose parent is a shell that lives on, and what a host does then has nobody who
 * keeps it: it would work beside the next run.
 */
export class EngineWatch {
  readonly #host: string;
  readonly #port: number;
  #seen = false;
  #refusals = 0;

  /** `address` is `HOST:PORT`. */
  constructor(address: string) {
    const end = address.lastIndexOf(":");
    this.#host = address.slice(0, end);
    this.#port = Number(address.slice(end + 1));
  }

  /** Looks once. No answer in a second says nothing: the machine is busy. */
  async isGone(): Promise<boolean> {
    const found = await this.#look();
    if (found === "there") this.#seen = true;
    this.#refusals = found === "refused" ? this.#refusals + 1 : 0;
    return this.#seen && this.#refusals >= 2;
  }

  #look(): Promise<"refused" | "there" | "unknown"> {
    return new Promise((resolve) => {
      const socket = connect({ host: this.#host, port: this.#port, timeout: LONGEST_LOOK_MILLISECONDS });
      const end = (found: "refused" | "there" | "unknown") => {
        socket.destroy();
        resolve(found);
      };
      socket.once("connect", () => {
        end("there");
      });
      socket.once("timeout", () => {
        end("unknown");
      });
      socket.once("error", (error: NodeJS.ErrnoException) => {
        end(error.code === "ECONNREFUSED" ? "refused" : "unknown");
      });
    });
  }
}
