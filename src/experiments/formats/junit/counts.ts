import type { FormatContext } from "../shared/format.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { compareCount } from "../shared/stated-count.ts";

/** What a `<testsuite>` or `<testsuites>` holds, with the suites in it. */
interface Suite {
  readonly element: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly place: FilePlace;
  tests: number;
  failures: number;
  skipped: number;
  /** True once results are known to be missing in it: the suites around it would say so again. */
  isTold: boolean;
}

/** The tools whose `tests` are their testcases; that of pytest counts subtests, too, which are no testcases. */
const TESTS_ARE_CASES: ReadonlySet<string> = new Set(["vitest", "promptfoo", "jest"]);

/**
 * Compares the attributes of JUnit suites with what stands in them. JUnit has no standard: Catch2 counts assertions as
 * tests, mocha calls failures errors and does not count hooks, and others count reruns once. So more results than were
 * counted say nothing, and fewer are a fault only where the tool is known.
 */
export class JunitCounts {
  readonly #suites: Suite[] = [];

  openSuite(element: string, attributes: ReadonlyMap<string, string>, place: FilePlace): void {
    this.#suites.push({ element, attributes, place, tests: 0, failures: 0, skipped: 0, isTold: false });
  }

  /** Adds what the tool counted as so many tests. */
  addTests(count: number): void {
    const suite = this.#suites.at(-1);
    if (suite !== undefined) suite.tests += count;
  }

  /** Adds an element of a testcase. */
  addPart(name: string): void {
    const suite = this.#suites.at(-1);
    if (suite === undefined) return;
    if (name === "failure" || name === "error") suite.failures += 1;
    else if (name === "skipped") suite.skipped += 1;
  }

  closeSuite(context: FormatContext, tool: string | undefined): void {
    const suite = this.#suites.pop();
    if (suite === undefined) return;
    const { element, place, tests, failures, skipped } = suite;
    const [counted, bad, left] = [
      stated(suite, "tests"),
      sum(stated(suite, "failures"), stated(suite, "errors")),
      stated(suite, "skipped"),
    ];
    const compare = (name: string, count: number | undefined, found: number, isExact: boolean) => {
      if (suite.isTold || count === undefined || count <= found) return;
      suite.isTold = true;
      compareCount({ name, stated: count, found }, place, context, { whole: `the ${element}`, isExact });
    };
    // Without the failures the rest looks better than it is: they come first.
    compare("`failures` and `errors`", bad, failures, tool !== undefined);
    compare("`tests`", counted, tests, TESTS_ARE_CASES.has(tool ?? ""));
    compare("`skipped`", left, skipped, tool !== undefined);
    const outer = this.#suites.at(-1);
    if (outer === undefined) return;
    outer.tests += tests;
    outer.failures += failures;
    outer.skipped += skipped;
    outer.isTold ||= suite.isTold;
  }
}

/** The number of an attribute; undefined for one that is absent or no number. */
function stated({ attributes }: Suite, name: string): number | undefined {
  const text = attributes.get(name)?.trim() ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
