import type { FilePlace } from "../../../files/json/errors.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { metadataOf, propertyScores, UNKNOWN_ERROR, withoutScores } from "../shared/tool-values.ts";
import { isAbsolutePath } from "../shared/workspace-path.ts";

/** What stands in a `<failure>`, an `<error>`, a `<skipped>` or a `<property>`. */
export interface JunitPart {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  text: string;
}

/** What a `<testsuite>` says of the testcases in it that do not say it themselves. */
export interface JunitSuite {
  readonly name: string;
  readonly file: string | undefined;
}

/** A `<testcase>`, while it is read. */
export class JunitCase {
  readonly classname: string;
  readonly test: string;
  readonly place: FilePlace;
  /** How many characters of text it holds. */
  size = 0;
  readonly #milliseconds: number | undefined;
  readonly #file: string | undefined;
  readonly #properties: (readonly [string, string])[] = [];
  readonly #failures: string[] = [];
  readonly #errors: string[] = [];
  #isSkipped: boolean;
  #hasTeardownError = false;

  /** `suite` stands in for a class and a file that are not named. */
  constructor(
    test: string,
    attributes: ReadonlyMap<string, string>,
    suite: JunitSuite,
    place: FilePlace,
    pathOf: (path: string) => string,
  ) {
    const file = fileOf(attributes) ?? suite.file;
    this.test = test;
    this.classname = pathOf(attributes.get("classname") ?? suite.name);
    this.place = place;
    this.#milliseconds = millisecondsOf(attributes.get("time"));
    this.#file = file === undefined ? undefined : pathOf(file);
    // GoogleTest has this attribute in place of an element.
    this.#isSkipped = ["notrun", "skipped", "disabled"].includes(attributes.get("status") ?? "");
  }

  add({ name, attributes, text }: JunitPart): void {
    this.size += text.length;
    for (const [key, value] of attributes) this.size += key.length + value.length;
    const said = wholeText(attributes, text);
    if (name === "failure") this.#failures.push(said);
    else if (name === "skipped") this.#isSkipped = true;
    else if (name === "property")
      this.#properties.push([attributes.get("name") ?? "", attributes.get("value") ?? text.trim()]);
    else if (name === "error") {
      this.#errors.push(said === "" ? UNKNOWN_ERROR : said);
      this.#hasTeardownError ||= TEARDOWN.test(attributes.get("message") ?? "");
    }
  }

  /** How many tests pytest counts here: it counts one that passed, and whose fixtures broke then, twice. */
  get tests(): number {
    return this.#hasTeardownError && this.#failures.length === 0 ? 2 : 1;
  }

  /** True when nothing can be said of this test once more. */
  get isComplete(): boolean {
    return this.#failures.length === 0 || this.#errors.length > 0;
  }

  /** True when `later` is what pytest says of this test once more: it failed, and then its fixtures broke. */
  isContinuedBy(later: JunitCase): boolean {
    if (later.test !== this.test || later.classname !== this.classname || later.#file !== this.#file) return false;
    const isTeardown = later.#hasTeardownError && later.#failures.length === 0;
    return isTeardown && !this.isComplete;
  }

  absorb(later: JunitCase): void {
    this.#errors.push(...later.#errors);
    this.size += later.size;
  }

  row(): SourceRow {
    const isBroken = this.#errors.length > 0;
    const hasFailed = isBroken || this.#failures.length > 0;
    const comment = this.#failures.length > 0 ? this.#failures.join("\n\n") : undefined;
    const file = this.#file;
    // A path as it is on every machine; nothing of one outside the workspace, which differs between them.
    const isElsewhere = file === undefined || isAbsolutePath(file);
    const inputs = isElsewhere ? {} : { file: file.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "") };
    return {
      place: this.place,
      name: this.classname === "" ? this.test : `${this.classname} > ${this.test}`,
      // Tests of two files may have one name. Whether they do must not matter, or a new test would change the id of another.
      inputs: { ...inputs, classname: this.classname, test: this.test },
      scores: [
        ...(this.#isSkipped && !hasFailed ? [] : [{ key: "pass", value: hasFailed ? 0 : 1, comment }]),
        ...propertyScores(this.#properties, ["pass"]),
      ],
      times: this.#milliseconds === undefined ? undefined : { milliseconds: this.#milliseconds },
      error: isBroken ? this.#errors.join("\n\n") : undefined,
      metadata: metadataOf(withoutScores(this.#properties), { file }),
    };
  }
}

/** The path of the test's file in an attribute; undefined where it is absent or empty. */
export function fileOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const file = attributes.get("file") ?? "";
  return file === "" ? undefined : file;
}

// Older versions of pytest have the other words.
const TEARDOWN = /^(?:failed on|test) teardown/;

/** The message and the text, which often begins with the message again. */
function wholeText(attributes: ReadonlyMap<string, string>, text: string): string {
  const message = attributes.get("message")?.trim() ?? "";
  const body = text.trim();
  if (body === "") return message === "" ? (attributes.get("type") ?? "") : message;
  return body.includes(message) ? body : `${message}\n${body}`;
}

/** Seconds as JUnit's writers put them, some with commas between thousands; undefined for any other text. */
function millisecondsOf(seconds: string | undefined): number | undefined {
  const text = seconds?.trim() ?? "";
  if (!/^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const milliseconds = Number(text.replaceAll(",", "")) * 1000;
  return Number.isFinite(milliseconds) ? milliseconds : undefined;
}

// The two testcases of a test stand side by side, but for the tests of other workers of pytest-xdist in between.
const MAX_HELD = 64;
const MAX_HELD_TEXT = 8 * 1024 * 1024;

/** The last testcases, which another one of the same test may still complete. */
export class HeldCases {
  readonly #cases: JunitCase[] = [];
  #size = 0;

  /** Takes a testcase; returns how many tests pytest counts for it. */
  add(testcase: JunitCase): number {
    this.#size += testcase.size;
    const { tests } = testcase;
    const earlier = this.#cases.findLast((candidate) => candidate.isContinuedBy(testcase));
    if (!earlier) {
      this.#cases.push(testcase);
      return tests;
    }
    earlier.absorb(testcase);
    return 0;
  }

  ready(): readonly SourceRow[] {
    const rows: SourceRow[] = [];
    const isTooMuch = () => {
      return this.#cases.length > MAX_HELD || (this.#size > MAX_HELD_TEXT && this.#cases.length > 1);
    };
    while (this.#cases[0]?.isComplete === true || isTooMuch()) rows.push(...this.#taken(1));
    return rows;
  }

  rest(): readonly SourceRow[] {
    return this.#taken(this.#cases.length);
  }

  #taken(count: number): readonly SourceRow[] {
    return this.#cases.splice(0, count).map((testcase) => {
      this.#size -= testcase.size;
      return testcase.row();
    });
  }
}
