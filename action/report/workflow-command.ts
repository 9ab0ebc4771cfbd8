/** A line that the runner executes, with its escaping of properties and data (command.ts of actions/toolkit). */
export function workflowCommand(
  name: "debug" | "endgroup" | "error" | "group" | "notice" | "warning",
  data = "",
  properties: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${[name, pairs.join(",")].filter((part) => part !== "").join(" ")}::${escapeData(data)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
