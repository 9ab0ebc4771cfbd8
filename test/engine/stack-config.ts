/** The configuration of a stack, by `namespace:key`. */
export class StackConfig {
  readonly #project: string;
  readonly #values = new Map<string, { readonly value: string; readonly secret: boolean }>();

  constructor(project: string, values: Readonly<Record<string, string | { readonly secret: string }>> = {}) {
    this.#project = project;
    for (const [key, value] of Object.entries(values)) {
      if (typeof value === "string") this.set(key, value);
      else this.set(key, value.secret, true);
    }
  }

  set(key: string, value: string, secret = false): void {
    this.#values.set(this.#full(key), { value, secret });
  }

  remove(key: string): void {
    this.#values.delete(this.#full(key));
  }

  /** Every value in plain. */
  plain(): Record<string, string> {
    return Object.fromEntries([...this.#values].map(([key, { value }]) => [key, value] as const));
  }

  secretKeys(): readonly string[] {
    return [...this.#values].filter(([, { secret }]) => secret).map(([key]) => key);
  }

  #full(key: string): string {
    return key.includes(":") ? key : `${this.#project}:${key}`;
  }
}
