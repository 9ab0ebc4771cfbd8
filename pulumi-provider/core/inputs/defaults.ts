/** What an input is when a program does not set it; a delete sees nothing but state, and so state holds them. */
export const DEFAULTS = {
  wait: true,
  timeoutSeconds: 1_800,
  adopt: "never",
  deletionProtection: false,
  revisionDrift: "redeploy",
} as const;
