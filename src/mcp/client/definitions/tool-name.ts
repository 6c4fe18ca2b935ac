/** Longest name of a tool that every provider accepts. */
export const maxNameChars = 64;

/** Characters of the hash in a shortened name. */
const hashChars = 8;

/** Maximum characters of a server in a tool name, so that the name of the tool stays readable. */
const maxServerChars = 32;

/** Id of a server in tool names and rules: the characters of a tool name, without a doubled underscore. */
export function serverId(name: string): string {
  const plain = name.replaceAll(/[^\w-]+/gu, "_").replaceAll(/_{2,}/gu, "_");
  const id = plain.replaceAll(/^_+|_+$/gu, "");
  return shortened(id === "" ? `server_${hashOf(name)}` : id, { of: name, max: maxServerChars });
}

/**
 * Name under which a tool of a server is offered: `mcp__server__tool`. One that is too long keeps its beginning and its
 * end, with a hash of the whole in the middle, so that two long names stay two names.
 */
export function offeredName(server: string, tool: string): string {
  const name = `mcp__${server}__`;
  const plain = tool.replaceAll(/[^\w-]/gu, "_");
  return `${name}${shortened(plain, { of: tool, max: maxNameChars - name.length })}`;
}

/** Rule that lets a server ask the model. No tool has this name, so that a rule for a tool is not one for that. */
export function samplingRule(server: string): string {
  return `mcp__${server}__sampling`;
}

function shortened(
  text: string,
  { of, max }: { readonly of: string; readonly max: number },
): string {
  if (text.length <= max) return text;
  const kept = max - hashChars - 2;
  const head = Math.ceil(kept / 2);
  return `${text.slice(0, head)}_${hashOf(of)}_${text.slice(text.length - (kept - head))}`;
}

function hashOf(text: string): string {
  return sha256(text).slice(0, hashChars);
}

/** SHA-256 of a text, in hex. */
export function sha256(text: string): string {
  // Not an import: that would evaluate all of `node:crypto`.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}
