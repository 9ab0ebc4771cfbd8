import { expect, test } from "vitest";
import { chooseFormat, FORMATS } from "../../../../src/experiments/reading/formats.ts";
import { refuseForeign } from "../../../../src/experiments/formats/shared/foreign-file.ts";
import { DataFileError } from "../../../../src/files/json/errors.ts";
import { madeZip } from "../made-zip.ts";
import { storedFile } from "../stored-file.ts";

/** What a step says of a file before it reads it. */
function refusal(content: string | Uint8Array): { readonly fault: string; readonly advice: string | undefined } {
  try {
    const file = storedFile(content);
    refuseForeign(file);
    chooseFormat(file, FORMATS);
  } catch (error) {
    if (error instanceof DataFileError) return { fault: error.fault, advice: error.advice };
    throw error;
  }
  throw new Error("the file was taken");
}

const binary = (beginning: string) => Buffer.from(`${beginning}\0\x9f\xe2`, "latin1");
const archive = (...names: readonly string[]) => madeZip(names.map((name) => ({ name, content: "x" })));

test.each<[what: string, content: string | Uint8Array, fault: RegExp, advice: RegExp]>([
  ["nothing", "", /the file is empty/, /step that writes it/],
  ["a byte order mark", "\ufeff", /the file is empty/, /step that writes it/],
  ["a header alone", "name;grade\r\n", /only one line, and no rows/, /step that writes it/],
  ["blank lines", " \n\n", /only white space/, /step that writes it/],
  ["a workbook", archive("[Content_Types].xml", "xl/workbook.xml"), /an Excel workbook/, /CSV/],
  ["an old workbook", binary("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), /an Excel workbook/, /CSV/],
  ["another zip", archive("a.txt"), /a zip archive/, /Unpack/],
  ["Parquet", binary("PAR1\x15\x04"), /a Parquet file/, /to_json/],
  ["Arrow", binary("ARROW1\0\0"), /an Arrow file/, /to_json/],
  ["Feather", binary("FEA1"), /a Feather file/, /to_json/],
  ["a pickle", binary("\x80\x04\x95"), /a Python pickle/, /never loaded/],
  ["a database", binary("SQLite format 3\0"), /an SQLite database/, /CSV/],
  ["gzip", binary("\x1f\x8b\x08"), /packed with gzip/, /Unpack/],
  ["Zstandard", binary("\x28\xb5\x2f\xfd"), /packed with Zstandard/, /Unpack/],
  ["a tar archive", Buffer.concat([Buffer.alloc(257, 1), binary("ustar")]), /a tar archive/, /Unpack/],
  ["a PDF", binary("%PDF-1.7\n"), /a PDF/, /CSV/],
  ["a picture", Buffer.from("89504e470d0a1a0a0000ff", "hex"), /an image/, /CSV/],
  ["a page", "<!doctype html><html><testsuite></testsuite></html>", /an HTML page/, /JUnit XML/],
  ["a page without a doctype", "\n<!-- x --><HTML></HTML>", /an HTML page/, /JUnit XML/],
  ["XML of another kind", '<?xml version="1.0"?><TestRun/>', /root element `TestRun`/, /JUnit XML/],
  [
    "a notebook",
    '{"cells":[{"cell_type":"code","source":["x"],"metadata":{}}],"nbformat":4}',
    /a Jupyter notebook/,
    /to_json/,
  ],
  [
    "the summary of lm-evaluation-harness",
    '{"results":{"arc":{"alias":"arc","acc,none":0.5}},"group_subtasks":{"arc":[]},"configs":{},"versions":{}}',
    /lm-evaluation-harness/,
    /--log_samples/,
  ],
  [
    "a summary of HELM",
    '[{"name":{"name":"exact_match"},"count":1,"sum":1,"sum_squared":1,"mean":1}]',
    /HELM/,
    /per_instance_stats/,
  ],
  [
    "the report of SWE-bench",
    '{"total_instances":2,"resolved_instances":1,"resolved_ids":["a"],"unresolved_ids":["b"]}',
    /SWE-bench/,
    /a line for each instance/,
  ],
  ["numbers of the whole", '{"accuracy":0.5,"n":10}', /a JSON object with the keys "accuracy", "n"/, /`input`/],
  ["a key with a control character", '{"a\u007f":0.5,"n":10}', /a JSON object with the keys "a\u007f", "n"/, /`input`/],
  ["a text", "hello\n", /not JSON, CSV or JUnit XML/, /JSON Lines/],
])("a file without rows is refused by what it is %s", (_what, content, fault, advice) => {
  const found = refusal(content);
  expect(found.fault).toMatch(fault);
  expect(found.advice).toMatch(advice);
});

test("the format is advised only where a name decides", () => {
  expect(refusal("hello\n").advice).not.toContain("`format`");
  expect(refusal('{"accuracy":0.5}').advice).not.toContain("`format`");
  const both = '{"evalId":"e","results":{"version":3,"results":[],"prompts":[]},"run":{"runType":"full"},"evals":[]}';
  const found = refusal(both);
  expect(found).toEqual({
    fault: "the file may be promptfoo or evalite",
    advice: undefined,
  });
});

test("a table whose first column is called as a binary file begins is a table", () => {
  const file = storedFile("BZh,input,output\n1,a,b\n");
  refuseForeign(file);
  expect(chooseFormat(file, FORMATS).name).toBe("csv");
});

test("a header behind the separator of Excel, and no row, is a header alone", () => {
  expect(refusal("sep=;\nname;grade\n").fault).toMatch(/only one line, and no rows/);
});
