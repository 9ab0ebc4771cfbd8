/** What is said of a secret setting that the stack's configuration holds in plain text. */
export function plainConfigText(key: string): string {
  return `${key} is stored in plain text: set it with \`pulumi config set --secret ${key}\`, which encrypts it.`;
}
