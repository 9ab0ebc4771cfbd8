import type { FieldNames } from "../contract/field-names.ts";
import type { Edition } from "../contract/source.ts";

/** How a service is started; every setting may be left out. */
export interface LocalServiceOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined;
  /** Where the state is kept; in memory and a temporary folder when absent. One service at a time may use it. */
  readonly dataDirectory?: string | undefined;
  /** Callers need this key; anybody may call when absent. */
  readonly apiKey?: string | undefined;
  /** Callers must name this tenant; any will do when absent. */
  readonly tenantId?: string | undefined;
  /** Only the sources of this edition are offered; all when absent. */
  readonly edition?: Edition | undefined;
  /** How names are spelled on the wire. */
  readonly fieldNames?: FieldNames | undefined;
  /** Also accept what the public clients send and the service does not document. */
  readonly compat?: boolean | undefined;
  /** How long a revision takes from its first status to the last, in all; 1000 when absent. */
  readonly walkMilliseconds?: number | undefined;
  /**
   * Runs each uploaded project: `NAME=value … program argument …`, with `{port}`, `{dir}` and `{revision}` filled in. The
   * built-in agent server answers for the projects when absent. Whoever may deploy runs programs here then.
   */
  readonly agentCommand?: string | undefined;
  /** What the agents' processes get besides the secrets of their deployments; programs are found by its PATH. */
  readonly agentEnvironment?: Readonly<Record<string, string>> | undefined;
  /** How long an agent may take until it answers; 120,000 when absent. */
  readonly agentStartMilliseconds?: number | undefined;
  /** How long it may take to end when it is asked to, before it is ended by force; 5,000 when absent. */
  readonly agentGraceMilliseconds?: number | undefined;
  /** How long after the upload of an experiment its statistics come out; 3000 when absent. */
  readonly experimentDelayMilliseconds?: number | undefined;
  /** How large the body of such an upload may be; 2 GiB when absent. */
  readonly experimentLimitBytes?: number | undefined;
  /** How large a request with runs may be, as it is sent and as it is decoded; 20 MiB when absent. */
  readonly runLimitBytes?: number | undefined;
  /** One line for each thing that a person who watches the service wants to know. */
  readonly log?: ((line: string) => void) | undefined;
}
