import { format } from "oxfmt";
import config from "../.oxfmtrc.json" with { type: "json" };

/** What is generated, as `npm run format` would leave it; the file's name says which language it is. */
export async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, { printWidth: config.printWidth });
  if (errors.length > 0)
    throw new Error(`${file} cannot be formatted: ${errors.map(({ message }) => message).join("; ")}`);
  return code;
}
