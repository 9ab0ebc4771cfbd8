import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { readTime } from "../../../files/source-time.ts";
import { JunitCase, type JunitPart } from "./case.ts";
import { JunitCounts } from "./counts.ts";
import { rootName } from "../shared/xml-root.ts";
import { WorkspacePaths } from "../shared/workspace-path.ts";
import { xmlEvents, type XmlEvent } from "./xml-events.ts";

/** JUnit XML, as pytest, vitest, promptfoo and many others write it. */
export const junit: ResultFormat = {
  name: "junit",
  detect: ({ text }) => ROOTS.has(rootName(text) ?? ""),
  rows: readRows,
};

const ROOTS: ReadonlySet<string> = new Set(["testsuites", "testsuite"]);
const PARTS: ReadonlySet<string> = new Set(["failure", "error", "skipped", "property"]);
const MAX_TEXT = 64 * 1024 * 1024;

function* readRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const report = new JunitReport(file, context);
  for (const event of xmlEvents(file)) {
    report.take(event);
    yield* report.ready();
  }
  yield* report.rest();
  report.tell();
}

class JunitReport {
  readonly #file: ResultFile;
  readonly #context: FormatContext;
  readonly #paths: WorkspacePaths;
  readonly #held = new HeldCases();
  readonly #counts = new JunitCounts();
  readonly #suites: string[] = [];
  #isBegun = false;
  #case: JunitCase | undefined;
  #part: JunitPart | undefined;
  #tool: string | undefined;
  #start: { readonly text: string; readonly microseconds: bigint } | undefined;

  constructor(file: ResultFile, context: FormatContext) {
    this.#file = file;
    this.#context = context;
    this.#paths = new WorkspacePaths(context, file.name);
  }

  take(event: XmlEvent): void {
    if (event.type === "open") this.#open(event);
    else if (event.type === "close") this.#close(event.name);
    else if (this.#part !== undefined) this.#append(this.#part, event.text);
  }

  ready(): readonly SourceRow[] {
    return this.#held.ready();
  }

  rest(): readonly SourceRow[] {
    return this.#held.rest();
  }

  /** Tells what the file says of the run: who wrote it, and when its first suite began. */
  tell(): void {
    if (this.#tool !== undefined) this.#context.tell({ tool: this.#tool });
    if (this.#start !== undefined) this.#context.tell({ times: { start: this.#start.text } });
  }

  #open({ name, attributes, line }: XmlEvent & { readonly type: "open" }): void {
    if (!this.#isBegun) this.#begin(name, line);
    if (ROOTS.has(name)) this.#counts.openSuite(name, attributes, { file: this.#file.name, line });
    if (name === "testsuites") this.#tool ??= TOOLS.get(attributes.get("name") ?? "");
    else if (name === "testsuite") this.#openSuite(attributes);
    else if (name === "testcase") this.#openCase(attributes, line);
    else if (this.#case !== undefined && this.#part === undefined && PARTS.has(name)) {
      if (attributes.get("type")?.startsWith("pytest.") === true) this.#tool ??= "pytest";
      this.#part = { name, attributes, text: "" };
    }
  }

  #begin(root: string, line: number): void {
    this.#isBegun = true;
    if (ROOTS.has(root)) return;
    throw new DataFileError({ file: this.#file.name, line }, "the first element is neither testsuites nor testsuite");
  }

  #openSuite(attributes: ReadonlyMap<string, string>): void {
    const name = attributes.get("name") ?? "";
    this.#suites.push(name);
    if (name === "pytest") this.#tool ??= "pytest";
    const text = attributes.get("timestamp");
    const microseconds = text === undefined ? undefined : readTime(text)?.microseconds;
    if (text === undefined || microseconds === undefined) return;
    if (this.#start === undefined || microseconds < this.#start.microseconds) this.#start = { text, microseconds };
  }

  #openCase(attributes: ReadonlyMap<string, string>, line: number): void {
    const place = { file: this.#file.name, line };
    const test = attributes.get("name");
    if (test === undefined) {
      this.#context.fault(place, "a testcase has no `name`");
      this.#counts.addTests(1);
    } else this.#case = new JunitCase(test, attributes, this.#suites.at(-1) ?? "", place, this.#paths);
  }

  #close(name: string): void {
    if (name === "testsuite") this.#suites.pop();
    if (ROOTS.has(name)) this.#counts.closeSuite(this.#context, this.#tool);
    else if (name === "testcase") {
      if (this.#case !== undefined) this.#counts.addTests(this.#held.add(this.#case));
      this.#case = undefined;
    } else if (this.#part?.name === name) {
      this.#counts.addPart(name);
      this.#case?.add(this.#part);
      this.#part = undefined;
      this.#check(0);
    }
  }

  #append(part: JunitPart, text: string): void {
    part.text += text;
    this.#check(part.text.length);
  }

  #check(size: number): void {
    if (size + (this.#case?.size ?? 0) <= MAX_TEXT) return;
    const place = this.#case?.place ?? { file: this.#file.name };
    throw new DataFileError(place, "a testcase has more than 64 MiB", {
      advice: "Leave large texts out of the results.",
    });
  }
}

const TOOLS: ReadonlyMap<string, string> = new Map([
  ["pytest tests", "pytest"],
  ["vitest tests", "vitest"],
  ["promptfoo", "promptfoo"],
  ["jest tests", "jest"],
]);

// The two testcases of a test stand side by side, but for the tests of other workers of pytest-xdist in between.
const MAX_HELD = 64;
const MAX_HELD_TEXT = 8 * 1024 * 1024;

/** The last testcases, which another one of the same test may still complete. */
class HeldCases {
  readonly #cases: JunitCase[] = [];
  #size = 0;

  /** Takes a testcase, and tells how many tests pytest counts for it. */
  add(testcase: JunitCase): number {
    this.#size += testcase.size;
    const { tests } = testcase;
    const earlier = this.#cases.findLast((candidate) => candidate.isContinuedBy(testcase));
    if (earlier === undefined) {
      this.#cases.push(testcase);
      return tests;
    }
    earlier.absorb(testcase);
    return 0;
  }

  ready(): readonly SourceRow[] {
    const rows: SourceRow[] = [];
    while (this.#cases[0]?.isComplete === true || this.#isTooMuch) rows.push(...this.#taken(1));
    return rows;
  }

  rest(): readonly SourceRow[] {
    return this.#taken(this.#cases.length);
  }

  get #isTooMuch(): boolean {
    return this.#cases.length > MAX_HELD || (this.#size > MAX_HELD_TEXT && this.#cases.length > 1);
  }

  #taken(count: number): readonly SourceRow[] {
    return this.#cases.splice(0, count).map((testcase) => {
      this.#size -= testcase.size;
      return testcase.row();
    });
  }
}
