import type { FilesAre } from "../../experiments/reading/row-ids.ts";
import type { JsonObject } from "../../files/json/value.ts";
import { nameList } from "../../text/quoted.ts";

/** More parts than any evaluation has are most likely something else. */
const MOST_PARTS = 1_000;

/** Which parts of the dataset the metadata of files say that they are: `2/5`. With a trial in each file, parts return. */
export function shardsOf(files: readonly JsonObject[], filesAre: FilesAre = "shards"): readonly string[] {
  const stated = files.flatMap(({ shard }) => (typeof shard === "string" && partOf(shard) ? shard : []));
  return filesAre === "trials" ? [...new Set(stated)] : stated;
}

/** Why parts are not the whole, a clause: `shard 3 of 5 is missing`; empty where they are, or where none is stated. */
export function shardFault(shards: readonly string[] = []): string {
  const parts = shards.flatMap((shard) => partOf(shard) ?? []);
  const counts = [...new Set(parts.map(({ count }) => count))];
  const [count = 0] = counts;
  if (counts.length > 1) return `its files are parts of ${nameList(counts.map(String))} shards`;
  const times = Array.from({ length: count }, (_, at) => parts.filter(({ index }) => index === at + 1).length);
  const faults = [
    { what: "missing", isWrong: (found: number) => found === 0 },
    { what: "there more than once", isWrong: (found: number) => found > 1 },
  ].flatMap(({ what, isWrong }) => {
    const numbers = times.flatMap((found, at) => (isWrong(found) ? String(at + 1) : []));
    const [noun, be] = numbers.length === 1 ? ["shard", "is"] : ["shards", "are"];
    return numbers.length === 0 ? [] : `${noun} ${nameList(numbers)} of ${String(count)} ${be} ${what}`;
  });
  return faults.join(", and ");
}

function partOf(shard: string) {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(shard)?.map(Number) ?? [];
  if (index === undefined || count === undefined) return undefined;
  return index >= 1 && index <= count && count <= MOST_PARTS ? { index, count } : undefined;
}
