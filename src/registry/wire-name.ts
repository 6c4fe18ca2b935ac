import type { DefinitionFormat } from "../core/index.ts";

/**
 * The name a tool goes by at a provider. Only a dot is refused anywhere; where the name without it is another
 * tool's, a hash of the whole name tells them apart, the same one whatever else is registered.
 */
export function wireName(
  name: string,
  format: DefinitionFormat,
  isTaken: (name: string) => boolean,
): string {
  if (!name.includes(".") || !refusesDots[format]) return name;
  const plain = name.replaceAll(".", "_");
  return isTaken(plain) ? hashedName(name) : plain;
}

/** Every name `wireName` may give this tool, so that a call by it finds the way back. */
export function wireNames(name: string): readonly string[] {
  return name.includes(".") ? [name.replaceAll(".", "_"), hashedName(name)] : [];
}

const refusesDots: Readonly<Record<DefinitionFormat, boolean>> = {
  openai: true,
  anthropic: true,
  gemini: false,
  mcp: false,
};

/** Providers allow 64 characters: 55, a separator and the hash. */
function hashedName(name: string): string {
  return `${name.replaceAll(".", "_").slice(0, 55)}_${fnv1a(name)}`;
}

/** FNV-1a in 32 bits: names are no secrets, and hashing at every registration has to be cheap. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
