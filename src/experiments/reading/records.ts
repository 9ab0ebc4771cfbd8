import { isJsonList, isJsonObject, type JsonObject } from "../../files/json/value.ts";
import { DataFileError, type FilePlace } from "../../files/json/errors.ts";
import { kindOf } from "../../files/json/kind.ts";
import { readYaml } from "../../files/yaml.ts";
import { literalColumns, withLiterals } from "../formats/table/cell-literal.ts";
import { recordList } from "../formats/table/container-records.ts";
import { csvObjects } from "../formats/table/csv-table.ts";
import { openResultFile, textOf, type ResultFile } from "../rows/result-file.ts";

/** An object of a file, and where it stands. */
export interface FileRecord {
  readonly record: JsonObject;
  readonly place: FilePlace;
}

/**
 * The objects of a file, whatever they are of: lines of JSON, a list in JSON or YAML, or a table, whose empty cells are no
 * members. Throws DataFileError for a file that cannot be read to its end; reports what is wrong with one object.
 */
export async function readRecords(
  { path, name }: Pick<ResultFile, "name" | "path">,
  fault: (place: FilePlace, message: string) => void,
): Promise<readonly FileRecord[]> {
  const file = openResultFile(path, name);
  // What it warns of is a header that stands there again, which is no record.
  const context = { fault, mapping: undefined, warn: () => undefined };
  if (/\.ya?ml$/i.test(name)) return yamlRecords(file, fault);
  // One line of JSON lines is an object, too.
  if (file.json.kind === "object" && /\.json$/i.test(name)) throw new DataFileError({ file: name }, NO_LIST);
  if (file.json.kind !== "none") return [...recordList(file, context)];
  const table = [...csvObjects(file, context)];
  const literals = literalColumns(
    table.map(({ record }) => record),
    new Set(),
  );
  return table.map(({ record: cells, place }) => {
    const record = withLiterals(cells, literals, place, context) ?? cells;
    return { record: Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== "")), place };
  });
}

const NO_LIST = "the file is not a list of objects";

async function yamlRecords(
  file: ResultFile,
  fault: (place: FilePlace, message: string) => void,
): Promise<readonly FileRecord[]> {
  const read = await readYaml(textOf(file));
  if (!read.ok) throw new DataFileError({ file: file.name }, `the file ${read.faults[0] ?? "is not valid YAML"}`);
  if (!isJsonList(read.value)) throw new DataFileError({ file: file.name }, NO_LIST);
  return read.value.flatMap((record, at) => {
    const place = { file: file.name, line: read.lineOf([String(at)]) };
    if (isJsonObject(record)) return { record, place };
    fault(place, `a record is ${kindOf(record)}, not an object`);
    return [];
  });
}
