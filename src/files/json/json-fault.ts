/** Where a JSON text breaks, and how; whoever knows the file makes an error for users of it. */
export class JsonFault extends Error {
  /** In bytes from the beginning of the text. */
  readonly at: number;
  /** Without a full stop. */
  readonly fault: string;

  constructor(at: number, fault: string) {
    super(fault);
    this.at = at;
    this.fault = fault;
  }
}
