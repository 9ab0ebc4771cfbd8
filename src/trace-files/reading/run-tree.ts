import { dottedOrder, parseDottedOrder } from "../../contract/dotted-order.ts";
import { Column } from "../../files/column.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { countText } from "../../text/number.ts";
import { fingerprintOf } from "../runs/run-key.ts";
import { NO_ROW, type RunTable } from "./run-table.ts";
import type { SourceRun } from "../runs/source-run.ts";

/** No program nests so deep, and each level makes the `dotted_order` of all below it longer. */
const MOST_LEVELS = 1_000;
// Children follow each other: what they have in common is made once.
const MOST_CACHED = 1_000;

/** What is told of the tree. */
export type TreeFault = (place: FilePlace, message: string) => void;

/**
 * Which run is below which, over all files: a child may come before its parent. In the end each run has its `trace_id`
 * and its `dotted_order`, either as given or as they follow from its ancestors and the starts.
 */
export class RunTree {
  readonly #table: RunTable;
  /** The keys of parents that were not read yet, with the rows of their children. */
  readonly #waiting = new Map<string, number[]>();
  /** The given `dotted_order` of runs whose parents are in no file, as far as known. */
  readonly #orders = new Map<number, string>();
  /** What is looked at again when all is known: a given order, as its hash, and a given `trace_id` without one. */
  readonly #givenOrders = new Map<number, number>();
  readonly #givenTraces = new Map<number, string>();
  /** 1 for a run whose `dotted_order` will not change: it was given, as were those above. */
  readonly #fixed = new Column((rows) => new Uint8Array(rows));
  /** Levels from the root, which has 1; 0 as long as nobody has climbed there. */
  readonly #levels = new Column((rows) => new Uint16Array(rows));
  readonly #cache = new Map<number, string>();
  #lostParents = 0;

  constructor(table: RunTable) {
    this.#table = table;
  }

  /** How many spans have a parent that no file holds, and are roots of their own. */
  get lostParents(): number {
    return this.#lostParents;
  }

  /** A run was read and got this row. */
  add(row: number, run: SourceRun): void {
    for (const child of this.#waiting.get(run.key) ?? []) this.#table.parents.set(child, row);
    this.#waiting.delete(run.key);
    const { parentKey } = run;
    const parent = parentKey === undefined ? undefined : this.#table.rowOf(parentKey);
    if (parent !== undefined) this.#table.parents.set(row, parent);
    else if (parentKey !== undefined) this.#wait(parentKey, row);
    this.#keepPlace(row, run, parent);
  }

  /** All runs were read: gives each its place, and tells what fits together in no way. */
  close(fault: TreeFault): void {
    this.#endWaiting(fault);
    for (let row = 0; row < this.#table.count; row++) this.#climb(row, fault);
    this.#cache.clear();
    this.#checkPlaces(fault);
  }

  /** The row of the run at the top, as far as the files know. */
  rootOf(row: number): number {
    let top = row;
    for (let above = this.#table.parents.get(top); above !== NO_ROW; above = this.#table.parents.get(top)) top = above;
    return top;
  }

  /** True for the top of a part of a trace, whose other runs are in no file. */
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

  #wait(parentKey: string, row: number): void {
    const children = this.#waiting.get(parentKey);
    if (children === undefined) this.#waiting.set(parentKey, [row]);
    else children.push(row);
  }

  /** What still waits for a parent gets none. */
  #endWaiting(fault: TreeFault): void {
    for (const row of [...this.#waiting.values()].flat()) {
      if (this.#table.isSpan(row)) this.#lostParents += 1;
      else if (!this.#orders.has(row)) {
        fault(
          this.#table.placeOf(row),
          "`parent_run_id` names a run that no file holds, and there is no `dotted_order`",
        );
      }
    }
    this.#waiting.clear();
    // Those whose parents were found have a place that follows from them.
    for (const row of this.#orders.keys()) if (this.#table.parents.get(row) !== NO_ROW) this.#orders.delete(row);
  }

  /** Goes up to the first run whose place is known, and gives all on the way theirs. */
  #climb(row: number, fault: TreeFault): void {
    const { parents } = this.#table;
    const way: number[] = [];
    const seen = new Set<number>();
    let top = row;
    while (top !== NO_ROW && this.#levels.get(top) === 0) {
      if (seen.has(top)) {
        fault(this.#table.placeOf(top), "the run is above itself: its `parent_run_id` leads back to it");
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
    // The service takes no child that begins before its parent; clocks of two machines may differ.
    segments.set(row, Math.max(segments.get(row), segments.get(above)));
    if (sessions.get(row) === 0) sessions.set(row, sessions.get(above));
  }

  /** Keeps of a given place what cannot be checked yet; nearly all can, since parents come first. */
  #keepPlace(row: number, run: SourceRun, parent: number | undefined): void {
    const { dottedOrder: order, traceId, parentKey } = run;
    if (order === undefined) {
      if (traceId !== undefined) this.#givenTraces.set(row, traceId);
      return;
    }
    this.#table.segments.set(row, parseDottedOrder(order)?.at(-1)?.startMicroseconds ?? 0);
    this.#fixed.set(row, 1);
    if (parentKey === undefined) return;
    // A run above itself is told in the end.
    const isAsAbove =
      parent !== undefined && parent !== row && this.#fixed.get(parent) === 1 && isSame(order, this.orderOf(row));
    if (isAsAbove) return;
    this.#givenOrders.set(row, hashOf(order));
    if (parent === undefined) this.#orders.set(row, order);
  }

  #checkPlaces(fault: TreeFault): void {
    for (const [row, order] of this.#givenOrders) {
      if (order === hashOf(this.orderOf(row))) continue;
      fault(this.#table.placeOf(row), "`dotted_order` is not that of the parent and the run's own part");
    }
    for (const [row, traceId] of this.#givenTraces) {
      if (traceId === this.traceIdOf(row)) continue;
      fault(this.#table.placeOf(row), "`trace_id` is not the id of the root of the trace");
    }
    this.#givenOrders.clear();
    this.#givenTraces.clear();
  }
}

function isSame(order: string, other: string): boolean {
  return order === other || order.toLowerCase() === other.toLowerCase();
}

function hashOf(order: string): number {
  return fingerprintOf(order.toLowerCase());
}
