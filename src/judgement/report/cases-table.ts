import { isSame } from "../../statistics/differences.ts";
import { placeText } from "../../files/json/errors.ts";
import { compareTexts } from "../../text/compare.ts";
import { jsonText } from "../../text/json-text.ts";
import type { Case } from "../cases/case-set.ts";
import { listCases, type EntryList, type Sides } from "../comparing/case-lists.ts";
import { pairCases } from "../comparing/pairing.ts";
import { columnOf } from "../comparing/values.ts";
import type { Judged } from "../judge-results.ts";
import { valueText } from "../words/numbers.ts";
import { TRAITS, type CasesData, type MetricColumns, type Trait } from "./cases-data.ts";

export interface ReportedCase {
  readonly now: Case | undefined;
  readonly baseline: Case | undefined;
}

/** A member of metadata, which the filter offers by its number among the labels. */
export interface Label {
  readonly key: string;
  readonly value: string;
  readonly number: number;
  cases: number;
}

/** The table, and its cases in the same order: of `total` cases those with the most harm. */
export type ReportedCases = ReturnType<typeof tableOfCases>;

/** A page with more would open slowly. */
const MOST_CASES = 20_000;

const NOWHERE = -1;

interface Row extends ReportedCase {
  readonly key: string;
  readonly name: string;
  /** Its places, or NOWHERE. */
  readonly nowAt: number;
  readonly baselineAt: number;
  readonly isCompared: boolean;
}

/** Puts the cases of both sides into one table: by harm in the first metric, then by name. */
export function tableOfCases(judged: Judged, most = MOST_CASES) {
  const { judgement, results, baseline } = judged;
  const names = [...new Set(judgement.metrics.map(({ metric }) => metric))];
  const broken = judgement.rules.find(({ rule, holds }) => holds === false && rule.value.of === "metric")?.rule.value;
  const first = Math.max(0, broken?.of === "metric" ? names.indexOf(broken.metric) : 0);
  const pairing = pairCases(results, baseline);
  const sides = { now: results, baseline, pairing };
  const traits = traitsOf(sides);
  const all = rowsOf(sides);
  const columns = names.map((name) => columnsOf(name, judged, traits));
  const sorting = columns[first];
  const harms = new Map(all.map((row) => [row, sorting?.rankOf(row) ?? -Infinity]));
  const rows = all
    .sort(
      (a, b) => (harms.get(b) ?? 0) - (harms.get(a) ?? 0) || compareTexts(a.name, b.name) || compareTexts(a.key, b.key),
    )
    .slice(0, most);
  const labels = new Map<string, Label>();
  const data: CasesData = {
    names: rows.map(({ name }) => name),
    places: rows.map(({ now }) => {
      const place = now?.trials.find((trial) => trial.place !== undefined)?.place;
      return place ? placeText(place) : "";
    }),
    metadata: rows.map(({ now, baseline: before }) =>
      Object.entries((now ?? before)?.metadata ?? {}).map(([key, member]) => {
        const value = typeof member === "string" ? member : jsonText(member);
        const text = `${key} = ${value}`;
        const label = labels.get(text) ?? { key, value, number: labels.size, cases: 0 };
        labels.set(text, label);
        label.cases += 1;
        return label.number;
      }),
    ),
    labels: [...labels.keys()],
    traits: TRAITS,
    metrics: columns.map((column) => column.of(rows)),
    isCompared: baseline !== undefined,
    first,
  };
  return { data, labels: [...labels.values()], cases: rows, total: all.length };
}

function rowsOf({ now, baseline, pairing }: Sides): Row[] {
  const row = (nowAt: number, baselineAt = NOWHERE, isCompared = false): readonly Row[] => {
    const [one, before] = [now.cases.at(nowAt), baseline?.cases.at(baselineAt)];
    const shown = one ?? before;
    if (!shown) return [];
    const { key, name } = shown;
    return [{ key, name, now: one, baseline: before, nowAt, baselineAt, isCompared }];
  };
  if (!baseline) return [...now.cases].flatMap((_, at) => row(at));
  const { pairs, changed, unmeasured, added, removed } = pairing;
  return [
    ...[...pairs.now].flatMap((at, index) => row(at, pairs.baseline[index], true)),
    ...[...changed.now].flatMap((at, index) => row(at, changed.baseline[index])),
    ...[...unmeasured.now].flatMap((at, index) => row(at, unmeasured.baseline[index])),
    ...[...added].flatMap((at) => row(at)),
    ...[...removed].flatMap((at) => row(NOWHERE, at)),
  ];
}

/** The bits of all cases of both sides, by their places. */
interface SideTraits {
  readonly now: Uint16Array;
  readonly baseline: Uint16Array;
}

/** The bits of each metric, and under undefined of cases as a whole. */
type TraitsOfCases = ReadonlyMap<string | undefined, SideTraits>;

/** From all that is listed: the lists of the judgement end after their first cases. */
function traitsOf(sides: Sides): TraitsOfCases {
  const entries = listCases(sides);
  const listed: readonly (readonly [Trait, EntryList])[] = [
    ["newly failing", entries.newlyFailing],
    ["worse", entries.worseForPeople],
    ["newly flaky", entries.newlyFlaky],
    ["without a score", entries.missing],
    ["with error", entries.errors],
    ["not measured", entries.unmeasured],
    ["flaky", entries.flaky],
    ["changed", entries.changed],
    ["only in the baseline", entries.removed],
    ["only now", entries.added],
    ["fixed", entries.fixed],
  ];
  const found = new Map<string | undefined, SideTraits>();
  const bitsOf = (metric: string | undefined): SideTraits => {
    const known = found.get(metric) ?? {
      now: new Uint16Array(sides.now.cases.length),
      baseline: new Uint16Array(sides.baseline?.cases.length ?? 0),
    };
    found.set(metric, known);
    return known;
  };
  for (const [trait, list] of listed) {
    for (const { at, isOfBaseline, metric } of list) {
      const bits = isOfBaseline ? bitsOf(metric).baseline : bitsOf(metric).now;
      bits[at] = (bits[at] ?? 0) | bitOf(trait);
    }
  }
  return found;
}

/** The bits of a row in a metric, or of its case as a whole. */
function traitsOfRow(traits: TraitsOfCases, metric: string | undefined, { nowAt, baselineAt }: Row): number {
  const { now, baseline } = traits.get(metric) ?? {};
  return (now?.[nowAt] ?? 0) | (baseline?.[baselineAt] ?? 0);
}

export function bitOf(trait: Trait): number {
  return 1 << TRAITS.indexOf(trait);
}

/** What is only true where it is known whether more is better. */
const DIRECTED = bitOf("newly failing") | bitOf("worse") | bitOf("fixed");

function columnsOf(name: string, judged: Judged, traits: TraitsOfCases) {
  const facts = judged.judgement.metrics.find(({ metric }) => metric === name)?.facts;
  const [now, baseline] = [columnOf(judged.results, name), judged.baseline && columnOf(judged.baseline, name)];
  const sign = facts?.direction === "lower" ? 1 : -1;
  // Where it is not known whether more is better, a change is neither harm nor gain.
  const isUnsure = facts?.isDirectionUnsure === true;
  const nowOf = ({ nowAt }: Row) => known(now.means[nowAt]);
  const beforeOf = ({ baselineAt }: Row) => known(baseline?.means[baselineAt]);
  const changeOf = (row: Row): number | null => {
    const [after, before] = [nowOf(row), beforeOf(row)];
    if (!row.isCompared || after === null || before === null) return null;
    return isSame(after, before) ? 0 : after - before;
  };
  const harmOf = (row: Row): number | null => {
    const change = changeOf(row);
    return isUnsure || change === null ? null : sign * change + 0;
  };
  /** What rows are sorted by: a score that went missing stands behind all harm that was measured. */
  const rankOf = (row: Row): number | null => {
    const isMissing = (traitsOfRow(traits, name, row) & bitOf("without a score")) !== 0;
    return isMissing ? Number.MIN_VALUE : harmOf(row);
  };
  const bitsOf = (row: Row): number => {
    const all = traitsOfRow(traits, name, row) | traitsOfRow(traits, undefined, row);
    const listed = isUnsure ? all & ~DIRECTED : all;
    const [change, harm] = [changeOf(row), harmOf(row)];
    if (change === 0) return listed | bitOf("same");
    return harm !== null && harm < 0 && (listed & bitOf("fixed")) === 0 ? listed | bitOf("better") : listed;
  };
  const text = (value: number | null) => (value === null ? "" : valueText(name, value));
  const changeText = (change: number | null): string => {
    if (change === null || change === 0) return change === null ? "" : "0";
    return `${change < 0 ? "−" : "+"}${valueText(name, Math.abs(change))}`;
  };
  const of = (rows: readonly Row[]): MetricColumns => {
    const [after, before] = [rows.map(nowOf), rows.map(beforeOf)];
    return {
      name,
      isLowerBetter: sign > 0,
      traits: rows.map(bitsOf),
      ...{ baseline: before.map(short), now: after.map(short), harm: rows.map((row) => short(rankOf(row))) },
      ...{
        baselineTexts: before.map(text),
        nowTexts: after.map(text),
        changeTexts: rows.map((row) => changeText(changeOf(row))),
      },
    };
  };
  return { rankOf, of };
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

function short(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6));
}
