import { dottedOrder, parseDottedOrder } from "../../contract/dotted-order.ts";
import { Column } from "../../files/column.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { countText } from "../../text/number.ts";
import { fingerprintOf } from "../runs/run-key.ts";
import { NO_ROW, type RunTable } from "./run-table.ts";
import type { SourceRun } from "../runs/source-run.ts";

// No program nests so deep, and each level lengthens the `dotted_order` of all runs below it.
const MOST_LEVELS = 1_000;
// The children of a run follow each other and share its dotted order.
const MOST_CACHED = 1_000;

export type TreeFault = (place: FilePlace, message: string) => void;

/**
 * The tree of the runs of all files; a child may come before its parent. `close` gives each run its `trace_id` and
 * `dotted_order`: those of the file, or those that follow from its ancestors and their starts.
 */
export class RunTree {
  readonly #table: RunTable;
  /** The rows of children by the key of a parent that was not read yet. */
  readonly #waiting = new Map<string, number[]>();
  /** The given `dotted_order` of runs whose parents are in none of the files read so far. */
  readonly #orders = new Map<number, string>();
  /** To check once all runs are known: the hash of a given order, and a given `trace_id` without an order. */
  readonly #givenOrders = new Map<number, number>();
  readonly #givenTraces = new Map<number, string>();
  /** 1 for a run whose `dotted_order` was given. */
  readonly #fixed = new Column(Uint8Array);
  /** The level of a run: 1 for a root; 0 until `#climb` reaches it. */
  readonly #levels = new Column(Uint16Array);
  readonly #cache = new Map<number, string>();
  /** How many spans became roots because their parent is in none of the files. */
  lostParents = 0;

  constructor(table: RunTable) {
    this.#table = table;
  }

  /** Adds a run and its row in the table. */
  add(row: number, run: SourceRun): void {
    for (const child of this.#waiting.get(run.key) ?? []) this.#table.parents.set(child, row);
    this.#waiting.delete(run.key);
    const { parentKey } = run;
    const parent = parentKey === undefined ? undefined : this.#table.rowOf(parentKey);
    if (parent !== undefined) this.#table.parents.set(row, parent);
    else if (parentKey !== undefined) {
      const children = this.#waiting.get(parentKey);
      if (!children) this.#waiting.set(parentKey, [row]);
      else children.push(row);
    }
    this.#keepPlace(row, run, parent);
  }

  /** Gives each run its place once all are read, and reports what does not fit together. */
  close(fault: TreeFault): void {
    // What waits still has a parent that was not found.
    for (const row of [...this.#waiting.values()].flat()) {
      if (this.#table.isSpan(row)) this.lostParents += 1;
      else if (!this.#orders.has(row)) {
        fault(
          this.#table.placeOf(row),
          "`parent_run_id` refers to a run that is in none of the files, which requires `dotted_order`",
        );
      }
    }
    this.#waiting.clear();
    // A parent that was found determines the place.
    for (const row of this.#orders.keys()) if (this.#table.parents.get(row) !== NO_ROW) this.#orders.delete(row);
    for (let row = 0; row < this.#table.count; row++) this.#climb(row, fault);
    this.#cache.clear();
    for (const [row, order] of this.#givenOrders) {
      if (order === hashOf(this.orderOf(row))) continue;
      fault(this.#table.placeOf(row), "`dotted_order` does not extend that of the parent");
    }
    for (const [row, traceId] of this.#givenTraces) {
      if (traceId === this.traceIdOf(row)) continue;
      fault(this.#table.placeOf(row), "`trace_id` is not the id of the root of the trace");
    }
    this.#givenOrders.clear();
    this.#givenTraces.clear();
  }

  /** The row of the topmost ancestor in the files. */
  rootOf(row: number): number {
    let top = row;
    for (let above = this.#table.parents.get(top); above !== NO_ROW; above = this.#table.parents.get(top)) top = above;
    return top;
  }

  /** True for the top of a partial trace: its ancestors are in none of the files. */
  isPart(row: number): boolean {
    return this.#orders.has(row);
  }

  traceIdOf(row: number): string {
    const top = this.rootOf(row);
    const order = this.#orders.get(top);
    return (order === undefined ? undefined : parseDottedOrder(order)?.[0]?.id.toLowerCase()) ?? this.#table.idOf(top);
  }

  orderOf(row: number): string {
    const given = this.#orders.get(row);
    if (given !== undefined) return given;
    const above = this.#table.parents.get(row);
    const parent = above === NO_ROW ? undefined : this.#cachedOrder(above);
    return dottedOrder({ startMicroseconds: this.#table.segments.get(row), id: this.#table.idOf(row), parent });
  }

  #cachedOrder(row: number): string {
    const known = this.#cache.get(row);
    if (known !== undefined) return known;
    const order = this.orderOf(row);
    if (this.#cache.size >= MOST_CACHED) this.#cache.clear();
    this.#cache.set(row, order);
    return order;
  }

  /** Climbs to the first ancestor whose place is known, and settles all runs on the way. */
  #climb(row: number, fault: TreeFault): void {
    const { parents } = this.#table;
    const way: number[] = [];
    const seen = new Set<number>();
    let top = row;
    while (top !== NO_ROW && this.#levels.get(top) === 0) {
      if (seen.has(top)) {
        fault(this.#table.placeOf(top), "parent cycle: following `parent_run_id` leads back to this run");
        parents.set(top, NO_ROW);
        break;
      }
      seen.add(top);
      way.push(top);
      top = parents.get(top);
    }
    for (const below of way.toReversed()) this.#settle(below, fault);
  }

  #settle(row: number, fault: TreeFault): void {
    if (this.#levels.get(row) > 0) return;
    const { parents, segments, sessions } = this.#table;
    const above = parents.get(row);
    const level = above === NO_ROW ? 1 : this.#levels.get(above) + 1;
    if (level > MOST_LEVELS) {
      fault(
        this.#table.placeOf(row),
        `the run is more than ${countText(MOST_LEVELS)} levels below the root of its trace`,
      );
      parents.set(row, NO_ROW);
    }
    this.#levels.set(row, level > MOST_LEVELS ? 1 : level);
    if (above === NO_ROW || level > MOST_LEVELS) return;
    // Clocks of two machines differ, and some services reject a child that begins before its parent. A given place stays.
    if (this.#fixed.get(row) !== 1) segments.set(row, Math.max(segments.get(row), segments.get(above)));
    if (sessions.get(row) === 0) sessions.set(row, sessions.get(above));
  }

  /** Keeps a given place that cannot be checked yet; most can, since parents usually come first. */
  #keepPlace(row: number, run: SourceRun, parent: number | undefined): void {
    const { dottedOrder: order, traceId, parentKey } = run;
    if (order === undefined) {
      if (traceId !== undefined) this.#givenTraces.set(row, traceId);
      return;
    }
    this.#table.segments.set(row, parseDottedOrder(order)?.at(-1)?.startMicroseconds ?? 0);
    this.#fixed.set(row, 1);
    if (parentKey === undefined) return;
    // `#climb` reports a run that is its own parent.
    if (parent !== undefined && parent !== row && this.#fixed.get(parent) === 1) {
      const placed = this.orderOf(row);
      if (order === placed || order.toLowerCase() === placed.toLowerCase()) return;
    }
    this.#givenOrders.set(row, hashOf(order));
    if (parent === undefined) this.#orders.set(row, order);
  }
}

function hashOf(order: string): number {
  return fingerprintOf(order.toLowerCase());
}
