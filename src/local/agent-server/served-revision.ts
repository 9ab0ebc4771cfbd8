/** What an agent server knows of the revision that it serves. */
export interface ServedRevision {
  readonly deploymentId: string;
  readonly name: string;
  readonly revisionId: string;
  readonly tenantId: string;
  readonly graphs: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}
