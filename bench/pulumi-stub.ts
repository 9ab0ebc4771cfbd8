import { PROVIDER_TEXTS } from "../pulumi-provider/provider-text.ts";
import { targetLine } from "./table.ts";

const MOST_BYTES = 400;

/** What a state holds of each provider. */
export function pulumiStub(): void {
  console.log("\nThe provider in a state");
  for (const [provider, text] of Object.entries(PROVIDER_TEXTS)) {
    const bytes = Buffer.byteLength(text);
    console.log(targetLine(`${provider}: under ${MOST_BYTES} bytes`, `${bytes} bytes`, bytes < MOST_BYTES));
  }
}
