/** What GET /info says that a batch may be, by its public description. A request with more runs is taken all the same. */
export const BATCH_LIMITS = {
  use_multipart_endpoint: true,
  scale_up_qsize_trigger: 1000,
  scale_up_nthreads_limit: 16,
  scale_down_nempty_trigger: 4,
  size_limit: 100,
} as const;

/** How large the body of a request may be. */
export const RUN_LIMIT_BYTES = 20 * 1024 * 1024;
