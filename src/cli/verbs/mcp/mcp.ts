import type { ExitCode } from "../../exit-codes.ts";
import { leadingWords } from "../../input/leading-words.ts";
import type { Terminal } from "../../terminal.ts";
import { serve } from "./serve.ts";
import { serverOptions } from "./server-options.ts";

const clientVerbs: ReadonlySet<string> = new Set([
  "add",
  "call",
  "doctor",
  "import",
  "list",
  "login",
  "logout",
  "remove",
  "tools",
]);

/** `haft mcp`: serves the tools to a client, or manages the servers whose tools haft uses. */
export async function mcp(line: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const namesVerb = line.some((word) => clientVerbs.has(word));
  const verb = namesVerb ? leadingWords(line, 1, serverOptions)?.words[0] : undefined;
  if (verb !== undefined && clientVerbs.has(verb)) {
    const { servers } = await import("./servers.ts");
    return await servers(verb, line, terminal);
  }
  return await serve(line, terminal);
}
