import { count, flag, line } from "../../src/contract/option-kinds.ts";
import {
  areOf,
  checkOptions,
  namesOf,
  spelt,
  type Kind,
  type OptionFault,
  type OptionTable,
  type OptionValues,
} from "../../src/contract/options.ts";
import { givenVariable } from "../environment.ts";
import type { Host } from "../host.ts";
import type { InputFault } from "./inputs-error.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { type DeclaredInputs, emptyFault } from "./never-empty.ts";

// For a step without a table.
const UNDECLARED: Required<Pick<DeclaredInputs<string>, "remedies" | "spelling" | "table">> = {
  remedies: {},
  spelling: (name) => name,
  table: {},
};

/** What is given to a step: its options by their names, and the environment. */
export type Given = Pick<Host, "env" | "given">;

/**
 * Reads the inputs of a step by the runner's rules and collects every error, so that one report has all of them.
 * After an error a reading method returns a harmless value: check `faults` before using the values. What it reports holds
 * no secret of the step: a key that was pasted into the wrong input would stand in the report of that input.
 */
export class InputReader<Name extends string> {
  readonly #given: Given;
  readonly #declared: DeclaredInputs<Name> & typeof UNDECLARED;
  readonly #defaults: ReadonlyMap<string, string>;
  readonly #unknown: ReadonlySet<string>;
  /** Those that cannot be beside the others: what else is wrong with them does not matter. */
  readonly #ruledOut = new Set<string>();
  /** The names under which a workflow wrote renamed inputs, by their names of today. */
  readonly #oldNames: ReadonlyMap<string, string>;
  readonly #faults: InputFault[] = [];
  readonly #warnings: string[] = [];
  readonly #notices: string[] = [];
  readonly #redactor = new Redactor();

  constructor(given: Given, declared: DeclaredInputs<Name>, secrets: readonly string[] = []) {
    this.#given = given;
    this.#declared = { ...UNDECLARED, ...declared };
    for (const secret of secrets) this.#redactor.add(secret);
    // All of them at once, whichever the step comes to read.
    this.#defaults = new Map<string, string>(Object.entries(declared.defaults));
    const empty = Object.keys(declared.neverEmpty).filter((name) => given.given(name)?.trim() === "");
    for (const input of empty)
      this.#faults.push({ input, message: emptyFault(input, this.#defaults.get(input) ?? "") });
    this.#unknown = new Set(empty);
    this.#oldNames = this.#readOldNames();
  }

  #readOldNames(): ReadonlyMap<string, string> {
    const { renamed = {} } = this.#declared;
    const defaults: Readonly<Record<string, string>> = this.#declared.defaults;
    const given = new Map<string, string>();
    // A runner hands over the default of an input that is not written.
    const isGiven = (name: string) => !["", defaults[name]].includes(givenText(this.#given, name));
    for (const [old, now] of Object.entries(renamed)) {
      if (!isGiven(old)) continue;
      if (isGiven(now)) {
        this.#faults.push({
          input: old,
          message: `is the old name of \`${now}\`, which is set too; remove \`${old}\``,
        });
      } else {
        given.set(now, old);
        this.#warnings.push(`The input \`${old}\` is now called \`${now}\`. The old name still works; rename it.`);
      }
    }
    return given;
  }

  get faults(): readonly InputFault[] {
    return this.#faults;
  }

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  get notices(): readonly string[] {
    return this.#notices;
  }

  /** `input` may also be an environment variable. The message is read after the name and ends without a full stop. */
  fault(input: string, message: string): void {
    // What is read instead of an empty one is the default, which the user did not write.
    if (this.#unknown.has(input) || this.#ruledOut.has(input)) return;
    const fault = { input: this.#oldNames.get(input) ?? input, message: this.#redactor.text(message) };
    const isReported = this.#faults.some((other) => other.input === fault.input && other.message === fault.message);
    if (!isReported) this.#faults.push(fault);
  }

  /** Forgets the errors of a step that does nothing: what its inputs hand on may not be there in such a run. */
  forgive(): void {
    this.#faults.length = 0;
  }

  /** Reports faults in the neutral names of options. */
  report(faults: readonly OptionFault[]): void {
    const { spelling } = this.#declared;
    for (const { field, key, other, message } of faults) {
      // Nothing follows from the absence of what is empty.
      if (other !== undefined && this.#unknown.has(spelling(other))) continue;
      this.fault(spelling(field), (key === undefined ? "" : `${key} `) + spelt(message, spelling));
    }
  }

  /** Reports the options of a table, or of the whole step, that are given and cannot be beside the others. */
  check(table: OptionTable = this.#declared.table, source?: string): void {
    // `False` is the default `false`; what cannot be read is given.
    const isGiven = (option: string) => {
      const name = this.#declared.spelling(option);
      const [text, usual] = [this.#text(name), this.#default(name)];
      const kind = this.#declared.table[option]?.kind;
      const { value, fault } = flag.parse(text);
      return text !== usual && (kind !== flag || fault !== undefined || value !== flag.parse(usual).value);
    };
    const faults = checkOptions(table, isGiven, source);
    this.report(faults);
    for (const { field } of faults) this.#ruledOut.add(this.#declared.spelling(field));
  }

  warn(message: string): void {
    this.#warnings.push(this.#redactor.text(message));
  }

  /** For what is good to know and needs no action. */
  notice(message: string): void {
    this.#notices.push(message);
  }

  /** The value without blanks at its ends; the default where it is empty. A default that stands for no value is empty. */
  text(name: Name): string {
    return this.#text(name);
  }

  #text(name: string): string {
    const text = givenText(this.#given, this.#oldNames.get(name) ?? name);
    return text === "" || this.#isWord(name, text) ? this.#default(name) : text;
  }

  /** The value, or that of an environment variable when the input is empty. */
  textOrVariable(name: Name, variable: string): string {
    return this.text(name) || (givenVariable(this.#given.env, variable) ?? "");
  }

  /** True when the input differs from its default. */
  isChanged(name: Name): boolean {
    return this.#text(name) !== this.#default(name);
  }

  /** True when the input is reported as empty: what the user meant is unknown, and nothing follows from its absence. */
  isUnknown(name: Name): boolean {
    return this.#unknown.has(name);
  }

  #default(name: string): string {
    const text = this.#defaults.get(name) ?? "";
    // Only the runner can work out an expression.
    return text.startsWith("${{") || this.#isWord(name, text) ? "" : text;
  }

  #isWord(name: string, text: string): boolean {
    return this.#declared.neverEmpty[name] === "word" && text === this.#defaults.get(name);
  }

  /** The value of an input as one of a kind; what is wrong with it is reported. */
  #as<Value>(name: Name, { parse }: Kind<Value>): Value {
    const { value, fault } = parse(this.text(name));
    if (fault !== undefined) this.fault(name, fault);
    return value;
  }

  boolean(name: Name): boolean {
    return this.#as(name, flag);
  }

  /** For an input that is read by another piece, which reports what is invalid. */
  isTrue(name: Name): boolean {
    return /^(true|True|TRUE)$/.test(this.text(name));
  }

  isFalse(name: Name): boolean {
    return /^(false|False|FALSE)$/.test(this.text(name));
  }

  /** The value of an option, by its name in the table. */
  read<Table extends OptionTable, Name extends keyof Table>(table: Table, option: Name): OptionValues<Table>[Name];
  read(table: OptionTable, option: string): unknown {
    const known = Object.hasOwn(this.#declared.table, option) ? table[option] : undefined;
    if (!known) throw new Error("The step has no input for this option.");
    const name = this.#declared.spelling(option);
    const { value, fault } = known.parse(this.#text(name));
    const remedy = this.#declared.remedies[name];
    if (fault !== undefined) this.fault(name, remedy === undefined ? fault : `${fault}; ${remedy}`);
    return value;
  }

  readAll<Table extends OptionTable>(table: Table): OptionValues<Table> {
    const read = namesOf<string>(table).map((name) => [name, this.read<OptionTable, string>(table, name)] as const);
    const values = Object.fromEntries(read.filter(([, value]) => value !== undefined));
    if (!areOf(table, values)) throw new Error("An option has no value.");
    return values;
  }

  /** A whole number from 1 on; undefined when the input is empty or invalid. */
  count(name: Name): number | undefined {
    const text = this.text(name);
    if (text === "") return undefined;
    const none = this.#declared.neverEmpty[name] === "word" ? this.#declared.defaults[name] : "empty";
    const { value, fault } = count(none).parse(text);
    if (fault !== undefined) this.fault(name, fault);
    return fault === undefined ? value : undefined;
  }

  /** The value as one line; undefined when it is empty. A line break or another control character is an error. */
  line(name: Name): string | undefined {
    return this.text(name) === "" ? undefined : this.#as(name, line);
  }
}

/** The text of an option without blanks at its ends, empty when it is not written. */
export function givenText({ given }: Pick<Host, "given">, option: string): string {
  return given(option)?.trim() ?? "";
}
