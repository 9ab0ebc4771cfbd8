import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { DataFileError, type FilePlace } from "../../../files/json/errors.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { readTime } from "../../../files/source-time.ts";
import { JunitNotes } from "./notes.ts";
import { fileOf, HeldCases, JunitCase, type JunitPart, type JunitSuite } from "./case.ts";
import { rootName } from "../shared/xml-root.ts";
import { workspacePaths } from "../shared/workspace-path.ts";
import { xmlEvents, type XmlEvent } from "./xml-events.ts";
import { compareCount } from "../shared/stated-count.ts";

/** JUnit XML, as pytest, vitest, promptfoo and many others write it. */
export const junit: ResultFormat = {
  detect: ({ text }) => ROOTS.has(rootName(text) ?? ""),
  rows: readRows,
};

const ROOTS: ReadonlySet<string> = new Set(["testsuites", "testsuite"]);
const PARTS: ReadonlySet<string> = new Set(["failure", "error", "skipped", "property"]);
const MAX_TEXT = 64 * 1024 * 1024;

function* readRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const report = new JunitReport(file, context);
  for (const event of xmlEvents(file)) {
    report.take(event);
    yield* report.held.ready();
  }
  yield* report.held.rest();
  report.describeRun();
}

/** A `<testsuite>` or `<testsuites>` that is open, with what stands in it and in the suites within. */
interface OpenSuite extends JunitSuite {
  readonly element: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly place: FilePlace;
  tests: number;
  failures: number;
  skipped: number;
  /** True once missing results were reported: the suites around it would report them again. */
  isReported: boolean;
}

class JunitReport {
  readonly held = new HeldCases();
  readonly #file: ResultFile;
  readonly #context: FormatContext;
  readonly #pathOf: (path: string) => string;
  readonly #suites: OpenSuite[] = [];
  readonly #notes: JunitNotes;
  #isBegun = false;
  #case: JunitCase | undefined;
  #part: JunitPart | undefined;
  #tool: string | undefined;
  #start: { readonly text: string; readonly microseconds: bigint } | undefined;

  constructor(file: ResultFile, context: FormatContext) {
    this.#file = file;
    this.#context = context;
    this.#pathOf = workspacePaths(context, file.name);
    this.#notes = new JunitNotes(context.ledger);
  }

  take(event: XmlEvent): void {
    if (event.type === "open") this.#open(event);
    else if (event.type === "close") this.#close(event.name);
    else if (this.#part) {
      this.#part.text += event.text;
      this.#check(this.#part.text.length);
    }
  }

  /** Takes what the file says of the run: its tool, and when its first suite began. */
  describeRun(): void {
    // A file that says nothing counts as none where the summary scores of files are compared.
    if (this.#tool === undefined && !this.#start) return;
    this.#context.describeRun({ tool: this.#tool, times: this.#start && { start: this.#start.text } });
  }

  #open({ name, attributes, line }: XmlEvent & { readonly type: "open" }): void {
    const place = { file: this.#file.name, line };
    if (!this.#isBegun && !ROOTS.has(name)) {
      throw new DataFileError(place, "the first element is neither testsuites nor testsuite");
    }
    this.#isBegun = true;
    this.#notes.open(name, attributes);
    if (ROOTS.has(name)) this.#openSuite(name, attributes, place);
    else if (name === "testcase") this.#openCase(attributes, place);
    else if (this.#case && !this.#part && PARTS.has(name)) {
      if (attributes.get("type")?.startsWith("pytest.") === true) this.#tool ??= "pytest";
      this.#part = { name, attributes, text: "" };
    }
  }

  #openSuite(element: string, attributes: ReadonlyMap<string, string>, place: FilePlace): void {
    const said = attributes.get("name") ?? "";
    const { name, file } = this.#suites.at(-1) ?? NO_SUITE;
    const counts = { element, attributes, place, tests: 0, failures: 0, skipped: 0, isReported: false };
    if (element === "testsuites") {
      this.#tool ??= TOOLS.get(said);
      this.#suites.push({ name, file, ...counts });
      return;
    }
    // mocha-junit-reporter has the file here only; a suite in another one is of its file.
    this.#suites.push({ name: said, file: fileOf(attributes) ?? file, ...counts });
    if (said === "pytest") this.#tool ??= "pytest";
    const text = attributes.get("timestamp") ?? "";
    const microseconds = readTime(text)?.microseconds;
    if (microseconds === undefined) return;
    if (!this.#start || microseconds < this.#start.microseconds) this.#start = { text, microseconds };
  }

  #openCase(attributes: ReadonlyMap<string, string>, place: FilePlace): void {
    const test = attributes.get("name");
    if (test === undefined) {
      this.#context.fault(place, "a testcase has no `name`");
      this.#count("tests");
    } else this.#case = new JunitCase(test, attributes, this.#suites.at(-1) ?? NO_SUITE, place, this.#pathOf);
  }

  #close(name: string): void {
    this.#notes.close();
    if (ROOTS.has(name)) this.#closeSuite();
    else if (name === "testcase") {
      if (this.#case) this.#count("tests", this.held.add(this.#case));
      this.#case = undefined;
    } else if (this.#part?.name === name) {
      if (name === "failure" || name === "error") this.#count("failures");
      else if (name === "skipped") this.#count("skipped");
      this.#case?.add(this.#part);
      this.#part = undefined;
      this.#check(0);
    }
  }

  #count(what: "failures" | "skipped" | "tests", count = 1): void {
    const suite = this.#suites.at(-1);
    if (suite) suite[what] += count;
  }

  /**
   * Compares the attributes of a suite with what stands in it. JUnit has no standard: Catch2 counts assertions as tests,
   * mocha calls failures errors and does not count hooks, and others count reruns once. So more results than were counted
   * say nothing, and fewer are an error only where the tool is known.
   */
  #closeSuite(): void {
    const suite = this.#suites.pop();
    if (!suite) return;
    const { element, place, tests, failures, skipped } = suite;
    const [failed, broken] = [stated(suite, "failures"), stated(suite, "errors")];
    const bad = failed === undefined && broken === undefined ? undefined : (failed ?? 0) + (broken ?? 0);
    const compare = (name: string, count: number | undefined, found: number, isExact: boolean) => {
      if (suite.isReported || count === undefined || count <= found) return;
      suite.isReported = true;
      compareCount({ name, stated: count, found, whole: `the ${element}`, isExact }, place, this.#context);
    };
    const tool = this.#tool ?? "";
    // Without the failures the rest looks better than it is: they come first.
    compare("`failures` and `errors`", bad, failures, tool !== "");
    compare("`tests`", stated(suite, "tests"), tests, TESTS_ARE_CASES.has(tool));
    compare("`skipped`", stated(suite, "skipped"), skipped, tool !== "");
    const outer = this.#suites.at(-1);
    if (!outer) return;
    outer.tests += tests;
    outer.failures += failures;
    outer.skipped += skipped;
    outer.isReported ||= suite.isReported;
  }

  #check(size: number): void {
    if (size + (this.#case?.size ?? 0) <= MAX_TEXT) return;
    const place = this.#case?.place ?? { file: this.#file.name };
    throw new DataFileError(place, "a testcase is larger than 64 MiB", {
      advice: "Leave large texts out of the results.",
    });
  }
}

const NO_SUITE: JunitSuite = { name: "", file: undefined };

const TOOLS: ReadonlyMap<string, string> = new Map([
  ["pytest tests", "pytest"],
  ["vitest tests", "vitest"],
  ["promptfoo", "promptfoo"],
  ["jest tests", "jest"],
]);

/** The tools whose `tests` are their testcases; that of pytest also counts subtests, which are not testcases. */
const TESTS_ARE_CASES: ReadonlySet<string> = new Set(["vitest", "promptfoo", "jest"]);

/** The number of an attribute; undefined for one that is absent or no number. */
function stated({ attributes }: OpenSuite, name: string): number | undefined {
  const text = attributes.get(name)?.trim() ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
