/** The secrets of the deployments, for the agents' processes. They are kept in memory only: a file could leak. */
export class SecretValues {
  readonly #values = new Map<string, ReadonlyMap<string, string>>();

  /** Replaces all secrets of a deployment. */
  set(deploymentId: string, secrets: readonly { readonly name: string; readonly value?: string | null | undefined }[]) {
    this.#values.set(deploymentId, new Map(secrets.map(({ name, value }) => [name, value ?? ""])));
  }

  /** By name; undefined when this process was never told, which is so after a restart. */
  of(deploymentId: string): ReadonlyMap<string, string> | undefined {
    return this.#values.get(deploymentId);
  }

  remove(deploymentId: string): void {
    this.#values.delete(deploymentId);
  }
}
