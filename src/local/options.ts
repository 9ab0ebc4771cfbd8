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
  /** Also accept what the public clients send and service.md does not allow. */
  readonly compat?: boolean | undefined;
  /** How long a revision takes from its first status to the last, in all; 1000 when absent. */
  readonly walkMilliseconds?: number | undefined;
  /** One line for each thing that a person who watches the service wants to know. */
  readonly log?: ((line: string) => void) | undefined;
}
