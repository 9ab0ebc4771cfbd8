import { ExactNumber, type JsonValue } from "../../../files/json/value.ts";
import { commaOf, isGrouped, isPercent, scoreOfCell } from "./score-cell.ts";

/**
 * What the commas and points in a number are: `comma` a decimal comma; `unsure` one as in `1,234`; `grouped` points as in
 * `1.234`, which stand between thousands where a comma is the decimal mark; `both` as in `1.234,5`; `point` a decimal point;
 * `whole` neither.
 */
type Marks = "comma" | "unsure" | "grouped" | "both" | "point" | "whole";

/** Looks for the decimal mark of one column. Numbers of JSON have none, and texts may. */
export class NumberMarks {
  readonly #counts = new Map<Marks, number>();
  /** All percentages, and those with a decimal comma and with a point. */
  readonly #percents = { all: 0, comma: 0, point: 0 };
  #least = Infinity;

  add(value: JsonValue): void {
    if (typeof value === "string" && isPercent(value)) this.#addPercent(value);
    const marks = marksOf(value);
    if (marks === undefined) return;
    this.#counts.set(marks, this.#of(marks) + 1);
    if (marks === "whole" || marks === "grouped")
      this.#least = Math.min(this.#least, Number(typeof value === "string" ? value.trim().replaceAll(".", "") : value));
  }

  /** The decimal mark that the numbers surely have; `count` are all values, of which each must be a number. */
  sure(count: number): "comma" | "point" | undefined {
    if (this.#percents.all > 0) return this.#percents.all === count ? this.#surePercent() : undefined;
    if (this.#of("point") > 0 && this.#of("point", "grouped", "whole") === count) return "point";
    return this.#of("comma", "both") > 0 && this.#fits(count) ? "comma" : undefined;
  }

  /** How the values are read with a decimal comma; undefined where one of `count` values cannot be. */
  inCommas(count: number) {
    if (!this.#fits(count)) return undefined;
    const isWhole = this.#of("whole", "grouped") === count;
    const isMarked = this.#of("whole") < count;
    // Among `0,5` and `1,0`, `1.000` is more likely one than a thousand.
    return { isMarked, isGrouped: isWhole || this.#of("both") > 0, least: isWhole ? this.#least : undefined };
  }

  #fits(count: number): boolean {
    if (count === 0 || this.#of("comma", "unsure", "grouped", "both", "whole") !== count) return false;
    return this.#of("grouped") === 0 || this.#of("comma", "unsure") === 0 || this.#of("both") > 0;
  }

  #addPercent(text: string): void {
    this.#percents.all += 1;
    if (text.includes(",")) this.#percents.comma += 1;
    else if (text.includes(".")) this.#percents.point += 1;
  }

  #surePercent(): "comma" | "point" | undefined {
    const { comma, point } = this.#percents;
    if (comma > 0) return point > 0 ? undefined : "comma";
    return point > 0 ? "point" : undefined;
  }

  #of(...marks: readonly Marks[]): number {
    return marks.reduce((sum, each) => sum + (this.#counts.get(each) ?? 0), 0);
  }
}

function marksOf(value: JsonValue): Marks | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? "whole" : undefined;
  if (typeof value !== "string") return undefined;
  if (isGrouped(value)) return value.includes(",") ? "both" : "grouped";
  const comma = commaOf(value);
  if (comma !== undefined) return comma;
  if (/^[+-]?\d+$/.test(value.trim())) return "whole";
  const number = scoreOfCell(value);
  const isNumber = typeof number === "number" || number instanceof ExactNumber;
  return isNumber && value.includes(".") ? "point" : undefined;
}
