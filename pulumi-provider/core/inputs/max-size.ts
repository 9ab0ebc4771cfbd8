import { DEPLOY_DEFAULTS } from "../../../src/deployment/request.ts";
import { NOT_A_SIZE } from "../../../src/contract/option-kinds.ts";
import { parseSize } from "../../../src/text/bytes.ts";

const KEY = "graph-deploy:maxSize";

/** Where the limit stands: `config` has the settings of the stack or of the provider. */
interface Settings {
  readonly config: (key: string) => string | undefined;
}

/** What is wrong with a size as a person writes it, to be read after the name of its place; empty when nothing is. */
export function sizeFault(text: string): string {
  const isSize = (parseSize(text) ?? 0) > 0;
  return isSize ? "" : NOT_A_SIZE;
}

/** The same of the limit that the configuration has. */
export function maxSizeFault({ config }: Settings): string {
  const text = config(KEY)?.trim() ?? "";
  return text === "" ? "" : sizeFault(text);
}

/** The largest archive of a directory, bytes: that of the configuration, else the default. */
export function maxBytesOf({ config }: Settings): number {
  const bytes = parseSize(config(KEY)?.trim() ?? "");
  return bytes === undefined || bytes <= 0 ? DEPLOY_DEFAULTS.maxBytes : bytes;
}
