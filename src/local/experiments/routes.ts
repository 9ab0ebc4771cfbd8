import * as z from "zod";
import { ClientListQuery, EXPERIMENTS } from "../../contract/operations/experiments.ts";
import { NO_QUERY, offsetParam, pageLimit } from "../../contract/operations/operation.ts";
import { clientList, refuseFilters } from "../http/client-list.ts";
import { HttpError, tooLarge } from "../http/error.ts";
import { RawJson } from "../http/raw-json.ts";
import { json, listPart } from "../http/response.ts";
import { get, serve, underBothPrefixes, type Route } from "../http/router.ts";
import type { Experiments } from "./experiments.ts";

const DatasetsQuery = ClientListQuery.extend({ data_type: z.string().optional() });
const ListQuery = z.object({ limit: pageLimit(20, 100), offset: offsetParam });
const RowsQuery = z.object({ limit: pageLimit(100, 1000), offset: offsetParam });

/** The endpoints of the local service only, for its page and the documents. */
export const READ_BACK = [
  ["/datasets", "the datasets, newest first"],
  ["/datasets/{dataset_id}", "one dataset"],
  ["/datasets/{dataset_id}/experiments", "its experiments, newest first"],
  ["/experiments/{experiment_id}", "one experiment and its statistics"],
  ["/experiments/{experiment_id}/rows", "its rows as they were sent"],
] as const;

/** The upload, and endpoints that read back what is stored; also under the prefix `/api/v1`. */
export function experimentRoutes(experiments: Experiments): readonly Route[] {
  return underBothPrefixes([
    serve(EXPERIMENTS.upload, async ({ call }) => {
      const { limitBytes } = experiments;
      try {
        call.checkJsonType();
        const { "content-encoding": encoding = "identity", "content-length": length = "0" } = call.headers;
        if (encoding !== "identity") throw new HttpError(415, `The Content-Encoding ${encoding} is not supported.`);
        if (Number(length) > limitBytes) throw tooLarge(limitBytes);
        return json(await experiments.receive(call.body(limitBytes)));
      } catch (error) {
        await call.drain();
        throw error;
      }
    }),
    get("/datasets", DatasetsQuery, ({ call, query: { limit, offset, name, name_contains, id, data_type } }) => {
      refuseFilters(call.query);
      const ids = id?.map((one) => one.toLowerCase());
      // All datasets here are of this type.
      const none = data_type !== undefined && data_type !== "kv";
      const filter = { name, search: name_contains, ids: none ? [] : ids, limit, offset };
      return clientList(experiments.datasets(filter), experiments.datasetCount(filter));
    }),
    get("/datasets/{dataset_id}", NO_QUERY, ({ param }) => json(experiments.dataset(param("dataset_id")))),
    get("/datasets/{dataset_id}/experiments", ListQuery, ({ param, query }) => {
      const { id } = experiments.dataset(param("dataset_id"));
      return listPart(query.offset, experiments.list({ ...query, datasetIds: [id] }));
    }),
    get("/experiments/{experiment_id}", NO_QUERY, ({ param }) => json(experiments.get(param("experiment_id")))),
    get("/experiments/{experiment_id}/rows", RowsQuery, ({ param, query }) => {
      const { texts, total } = experiments.rows(param("experiment_id"), query);
      const resources = texts.map((text) => new RawJson(text));
      return listPart(query.offset, resources, total);
    }),
  ]);
}
