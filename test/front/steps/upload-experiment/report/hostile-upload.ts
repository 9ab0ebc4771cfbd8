import fc from "fast-check";
import { InputsError } from "../../../../../front/options/inputs-error.ts";
import { ExperimentNameTakenError } from "../../../../../src/experiment-upload/errors.ts";
import type { ColumnReading, NotedColumn } from "../../../../../src/experiments/rows/columns.ts";
import type { ExperimentEvent } from "../../../../../src/experiments/events.ts";
import { ResultsError } from "../../../../../src/experiments/reading/result-faults.ts";
import { hostileText } from "../../../account/hostile-text.ts";
import { ended, file, fileRead, read, results, sent, unanswered } from "./upload-events.ts";

/** An upload in which every text from outside is hostile, however it ends. */
export const hostileUpload: fc.Arbitrary<readonly ExperimentEvent[]> = fc
  .tuple(fc.array(hostileText, { minLength: 10, maxLength: 10 }), fc.nat(5), fc.boolean())
  .map(([texts, end, isSplit]) => {
    const [a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = "", i = "", j = ""] = texts;
    const dataset = { id: a, name: b };
    return [
      { type: "reading", file: a, rows: 7, milliseconds: 6_000 },
      ...texts.map((name): ExperimentEvent => fileRead({ name, columns: hostileColumns(texts) })),
      ...texts.map((message): ExperimentEvent => ({ type: "warning", message })),
      read(
        {
          files: texts.map((name) => file({ name, format: b, columns: hostileColumns(texts) })),
          scores: new Map(texts.map((key) => [key, { n: 3, mean: 0.5 }])),
          parts: isSplit
            ? texts.map((value) => ({ value, results: results({ words: new Map([[a, 1]]) }) }))
            : undefined,
        },
        9_000,
      ),
      {
        type: "planned",
        experiments: [
          { name: c, rows: 2, bytes: 20 },
          { name: d, rows: 2, bytes: 20 },
        ],
        dataset,
      },
      { type: "request-written", path: e, bytes: 20 },
      { type: "upload-progress", name: c, sentBytes: 12, totalBytes: 20, milliseconds: 6_000 },
      { type: "name-taken", name: c, next: f },
      {
        type: "retry",
        notice: { target: g, attempt: 1, mostAttempts: 4, delayMilliseconds: 10, reason: h },
      },
      sent({ name: f, id: i, dataset, page: j }),
      sent({ name: d, id: undefined, wasSent: false, dataset }),
      { type: "searched", name: a, reason: b },
      endOf(end, texts),
    ];
  });

function hostileColumns(texts: readonly string[]): ColumnReading {
  const columns = texts.map((key, index): NotedColumn => {
    return { name: texts[texts.length - 1 - index] ?? "", role: { part: "score", key } };
  });
  return { by: "names", columns, unread: texts };
}

function endOf(end: number, texts: readonly string[]): ExperimentEvent {
  const [a = "", b = "", c = "", d = ""] = texts;
  const errors = [
    new ResultsError(
      a,
      texts.map((message) => ({ place: { file: b, line: 2 }, message })),
      30,
      { mapping: texts, axis: { column: a, values: texts, where: [{ column: b, value: c }], isCrossed: false } },
    ),
    new ExperimentNameTakenError(c, { cause: new Error(d) }),
    new InputsError([
      { input: a, message: b },
      { input: c, message: d },
    ]),
    new Error(a),
  ];
  const error = errors[end];
  if (error !== undefined) return ended("failed", error);
  return end === 4 ? ended("dry-run") : ended("uncertain", unanswered(c));
}
