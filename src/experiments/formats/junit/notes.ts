import type { Ledger } from "../shared/ledger.ts";

/** Notes the attributes and elements of a report that are not read. */
export class JunitNotes {
  readonly #ledger: Ledger;
  /** The elements that are open; undefined for one below what is not read, and for that itself. */
  readonly #open: (string | undefined)[] = [];

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const parent = this.#open.at(-1);
    const isRead = this.#open.length === 0 || (parent !== undefined && this.#isRead(parent, name));
    this.#open.push(isRead ? name : undefined);
    if (isRead) {
      for (const [key, value] of attributes) if (!this.#isRead(name, key)) this.#note(name, key, value);
    } else if (parent !== undefined) this.#note(parent, name, "element");
  }

  close(): void {
    this.#open.pop();
  }

  #isRead(element: string, key: string): boolean {
    return ELEMENTS.get(element)?.read.has(key) === true;
  }

  #note(element: string, key: string, value: string): void {
    this.#ledger.note(key, value, ELEMENTS.get(element)?.leftOut, { level: element });
  }
}

/** What is read of an element, attributes and elements within, and what is left out. */
interface Known {
  readonly read: ReadonlySet<string>;
  readonly leftOut: ReadonlySet<string>;
}

function known(read: string, leftOut = ""): Known {
  return { read: new Set(read.split(" ")), leftOut: new Set(leftOut.split(" ")) };
}

const COUNTS = "tests failures errors skipped";
/** Of the machine, of other counts, and what a program printed. */
const OF_SUITE = "hostname disabled assertions package id time properties system-out system-err";
const OF_CASE = "name classname file time status failure error skipped properties property";
const PART = known("message type", "stack line");

const ELEMENTS: ReadonlyMap<string, Known> = new Map([
  ["testsuites", known(`name testsuite ${COUNTS}`, `${OF_SUITE} timestamp`)],
  ["testsuite", known(`name file timestamp testsuite testcase ${COUNTS}`, OF_SUITE)],
  ["testcase", known(OF_CASE, `line id timestamp result ${OF_SUITE}`)],
  ["properties", known("property")],
  ["property", known("name value")],
  ["failure", PART],
  ["error", PART],
  ["skipped", PART],
]);
