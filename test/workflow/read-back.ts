import * as z from "zod";
import type { LocalService } from "../../src/local/index.ts";
import { SECRETS } from "./rig.ts";

const Named = z.object({ resources: z.array(z.looseObject({ id: z.string(), name: z.string() })) });
const Rows = z.object({ resources: z.array(z.looseObject({ row_id: z.string() })) });

/** The names of what a service has stored, and the ids of all rows. */
export async function readBack({ url }: LocalService) {
  const read = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, { headers: { "x-api-key": SECRETS[0] ?? "" } });
    if (!answer.ok) throw new Error(`${path} returned ${answer.status}`);
    return await answer.json();
  };
  const datasets = Named.shape.resources.parse(await read("/datasets"));
  const experiments = await Promise.all(
    datasets.map(async ({ id }) => Named.parse(await read(`/datasets/${id}/experiments`)).resources),
  );
  const rows = await Promise.all(
    experiments.flat().map(async ({ id }) => Rows.parse(await read(`/experiments/${id}/rows?limit=100`)).resources),
  );
  return {
    datasets: datasets.map(({ name }) => name),
    experiments: experiments.flat().map(({ name }) => name),
    rows: rows.flat().map(({ row_id }) => row_id),
  };
}
