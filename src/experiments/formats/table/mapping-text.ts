/** How long a name in a mapping may be. */
export const LONGEST_NAME = 200;

const PLAIN = /^[\p{L}_][\p{L}\p{N}_.()/?-]*(?: [\p{L}\p{N}_.()/?-]+)*$/u;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A text in YAML; what could be invisible, or an expression of a workflow, is escaped. */
export function yamlText(text: string): string {
  if (PLAIN.test(text) && !RESERVED.test(text)) return text;
  return JSON.stringify(text).replace(
    /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\p{Default_Ignorable_Code_Point}|\$(?=\{)/gu,
    escaped,
  );
}

/** A key in YAML, cut to a length. */
export function keyText(key: string): string {
  return yamlText(key.slice(0, LONGEST_NAME).toWellFormed());
}

/** A name in a comment, which no parser reads. */
export function commentText(name: string): string {
  return name === "" ? "the column without a name" : keyText(name);
}

function escaped(characters: string): string {
  return Array.from({ length: characters.length }, (_, index) => {
    return `\\u${characters.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}
