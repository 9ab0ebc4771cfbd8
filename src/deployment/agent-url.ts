import type { Deployment } from "../contract/deployment.ts";

/**
 * Where the agent answers, undefined when the service does not say: the field is not agreed on, services name it
 * `url` or `source_config.custom_url`. A user name and a password in it are left out: they would be printed.
 */
export function agentUrl({ url, source_config }: Deployment): string | undefined {
  return webAddress(url) ?? webAddress(source_config?.custom_url);
}

// Later steps of a job open it: what is no web address is none.
function webAddress(text: string | null | undefined): string | undefined {
  if (text == null || !/^https?:\/\/\S+$/.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null) return undefined;
  if (url.username === "" && url.password === "") return text;
  url.username = "";
  url.password = "";
  return url.href.replace(/\/$/, "");
}
