import { randomUUID } from "node:crypto";
import type { ExperimentHead } from "../../contract/experiment.ts";
import { formatInstant } from "../../contract/instant.ts";
import { atomically, type Page } from "../state/database.ts";
import type { RowFilter } from "../state/rows.ts";
import type { Shared } from "../state/shared.ts";
import { ExperimentRows } from "./rows.ts";
import { DatasetStore, ExperimentStore, type ExperimentRecord } from "./store.ts";
import { ExperimentUpload } from "./upload.ts";
import { viewDataset, viewExperiment, type DatasetView, type ExperimentView } from "./view.ts";
import { invalid, HttpError, noRoom, notFound } from "../http/error.ts";
import { RawJson, writeJson } from "../http/raw-json.ts";
import type { StoredExperiment } from "../../pages/experiment-comparison.ts";

export interface ExperimentsOptions extends Shared {
  readonly compat: boolean;
  /** How long after an upload its statistics appear. */
  readonly delayMilliseconds: number;
  /** The largest body of an upload. */
  readonly limitBytes: number;
}

const ROWS_AT_ONCE = 1_000;

/** The uploaded experiments and their datasets. */
export class Experiments {
  /** The largest body of an upload. */
  readonly limitBytes: number;
  readonly #options: ExperimentsOptions;
  readonly #datasets: DatasetStore;
  readonly #experiments: ExperimentStore;
  readonly #rows: ExperimentRows;
  #lastUpload: number;
  /** The numbers of the uploads in progress. */
  readonly #open = new Set<number>();
  /** There may be rows of uploads that failed, or that a crash interrupted. */
  #isLittered = true;

  constructor(options: ExperimentsOptions) {
    const { database, limitBytes } = options;
    this.limitBytes = limitBytes;
    this.#options = options;
    this.#datasets = new DatasetStore(database);
    this.#experiments = new ExperimentStore(database);
    this.#rows = new ExperimentRows(database);
    this.#lastUpload = this.#experiments.lastUpload();
    this.#sweep();
  }

  /** Receives the body of an upload. Throws an HttpError if it is invalid; then nothing has changed. */
  async receive(body: AsyncIterable<Buffer>): Promise<{ experiment: ExperimentView; dataset: DatasetView }> {
    const { database, compat, log } = this.#options;
    this.#sweep();
    this.#lastUpload += 1;
    const number = this.#lastUpload;
    this.#open.add(number);
    const upload = new ExperimentUpload({ database, rows: this.#rows, upload: number, compat });
    try {
      for await (const chunk of body) upload.feed(chunk);
      const received = upload.finish();
      const stored = atomically(database, () => this.#store(received));
      log(
        `${stored.dataset.name}: experiment ${stored.experiment.name} with ${String(received.statistics.run_count)} rows`,
      );
      return stored;
    } catch (error) {
      this.#try(() => {
        this.#rows.remove(number);
      });
      throw error;
    } finally {
      this.#open.delete(number);
    }
  }

  #sweep(): void {
    if (!this.#isLittered) return;
    this.#isLittered = false;
    this.#try(() => {
      this.#rows.removeLeftOver([...this.#open]);
    });
  }

  // On a full disk even a delete may find no room: then the rows go before the next upload.
  #try(remove: () => void): void {
    try {
      remove();
    } catch (error) {
      if (noRoom(error) === "") throw error;
      this.#isLittered = true;
    }
  }

  /** Adds a dataset that the service itself manages, so that it does not accept uploads. */
  addManagedDataset(name: string): DatasetView {
    const id = randomUUID();
    this.#datasets.insert({ id, name, description: null, externally_managed: false });
    return this.dataset(id);
  }

  /** Newest first. */
  datasets(filter: RowFilter & Page): readonly DatasetView[] {
    return this.#datasets.list(filter).map((row) => viewDataset(row, this.#options.tenantId));
  }

  datasetCount(filter: RowFilter): number {
    return this.#datasets.count(filter);
  }

  /** 404 if it does not exist. */
  dataset(id: string): DatasetView {
    return viewDataset(this.#datasets.get(id) ?? notFound("Dataset", id), this.#options.tenantId);
  }

  /** Newest first. */
  list(filter: RowFilter & Page): readonly ExperimentView[] {
    return this.#experiments.list(filter).map((experiment) => this.#view(experiment));
  }

  count(filter: RowFilter): number {
    return this.#experiments.count(filter);
  }

  /** 404 if it does not exist. */
  get(id: string): ExperimentView {
    return this.#view(this.record(id));
  }

  has(id: string): boolean {
    return this.#experiments.get(id) !== undefined;
  }

  /** The stored experiment; 404 if it does not exist. */
  record(id: string): ExperimentRecord {
    return this.#experiments.get(id) ?? notFound("Experiment", id);
  }

  /** Rows as they were sent, in the order of the upload; fewer than `limit` if they are long. */
  rows(id: string, page: Page): { readonly texts: readonly string[]; readonly total: number } {
    const { upload, statistics } = this.record(id);
    const total = (page.search ?? "") === "" ? statistics.run_count : this.#rows.count(upload, page.search);
    return { texts: this.#rows.texts(upload, page), total };
  }

  /** What was uploaded, with its rows as they were sent. */
  uploaded(id: string): StoredExperiment {
    return { name: this.record(id).name, body: this.#body(id) };
  }

  *#body(id: string): Generator<string> {
    const { name, dataset_id, start_time, end_time, metadata } = this.record(id);
    const head = {
      ...{ experiment_name: name, dataset_id, dataset_name: this.dataset(dataset_id).name },
      ...{ experiment_start_time: start_time, experiment_end_time: end_time },
      experiment_metadata: metadata === null ? undefined : new RawJson(metadata),
    };
    yield `${writeJson(head).slice(0, -1)},"results":[`;
    for (let offset = 0; ;) {
      const { texts } = this.rows(id, { limit: ROWS_AT_ONCE, offset });
      if (texts.length === 0) break;
      yield `${offset === 0 ? "" : ","}${texts.join(",")}`;
      offset += texts.length;
    }
    yield "]}";
  }

  #view(experiment: ExperimentRecord): ExperimentView {
    return viewExperiment(experiment, this.#options.tenantId, Date.now());
  }

  #store({ upload, head, window, metadata, summaryScores, statistics }: ReturnType<ExperimentUpload["finish"]>) {
    const { delayMilliseconds } = this.#options;
    const dataset = this.#datasetOf(head);
    if (this.#experiments.byName(head.experiment_name)) throw new HttpError(409, "Session already exists.");
    const id = randomUUID();
    this.#experiments.insert({
      id,
      dataset_id: dataset,
      document: {
        name: head.experiment_name,
        description: head.experiment_description ?? null,
        start_time: formatInstant(window.start),
        end_time: formatInstant(window.end),
        metadata,
        summary_scores: summaryScores,
      },
      start: window.start,
      upload,
      statistics,
      counted_at: Date.now() + delayMilliseconds,
    });
    this.#datasets.touch(dataset, head.dataset_description);
    return { experiment: this.get(id), dataset: this.dataset(dataset) };
  }

  /** The id of the dataset that the request names; creates it if it does not exist. Rules 1, 3, 4 and 5 of the contract. */
  #datasetOf(head: ExperimentHead): string {
    const datasets = this.#datasets;
    const id = head.dataset_id?.toLowerCase();
    const name = head.dataset_name === "" ? undefined : head.dataset_name;
    const known = id === undefined ? datasets.byName(name ?? "") : datasets.get(id);
    if (known) {
      if (!known.externally_managed) {
        const msg = "was not created by an upload; only externally managed datasets accept experiments";
        throw invalidDataset(id === undefined ? "dataset_name" : "dataset_id", msg);
      }
      if (name !== undefined && name !== known.name) {
        throw invalidDataset("dataset_name", "is not the name of the dataset that dataset_id identifies");
      }
      return known.id;
    }
    if (name !== undefined && datasets.byName(name)) {
      throw invalidDataset("dataset_name", "is the name of a dataset with another id than dataset_id");
    }
    const made = id ?? randomUUID();
    const description = head.dataset_description ?? null;
    datasets.insert({ id: made, name: name ?? `dataset-${made}`, description, externally_managed: true });
    return made;
  }
}

function invalidDataset(field: "dataset_id" | "dataset_name", msg: string): HttpError {
  return invalid([{ loc: ["body", field], msg, type: "value_error" }]);
}
