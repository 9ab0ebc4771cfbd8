import * as z from "zod";

/** What an agent server answers about itself; a server may leave any of it out. */
export const AgentServerInfo = z.looseObject({
  version: z.string().nullish(),
  host: z
    .looseObject({
      /** The revision that serves, where the platform tells the agent server. */
      host_revision_id: z.string().nullish(),
    })
    .nullish(),
});
export type AgentServerInfo = z.infer<typeof AgentServerInfo>;

/** A configured instance of a graph: service.md §1, area C. */
export const Assistant = z.looseObject({
  assistant_id: z.string(),
  graph_id: z.string(),
  name: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
export type Assistant = z.infer<typeof Assistant>;

/** The body of POST /assistants/search: service.md §4.4. */
export const AssistantSearch = z.looseObject({
  metadata: z.record(z.string(), z.unknown()).nullish(),
  limit: z.number().int().min(1).max(1000).optional(),
  offset: z.number().int().min(0).optional(),
});
