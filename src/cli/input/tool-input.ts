import type { Kit } from "../../index.ts";
import { callInput } from "./call-arguments.ts";
import type { Terminal } from "../terminal.ts";

/** Builds the input of a tool from the arguments after its name. */
export async function toolInput(
  kit: Kit,
  {
    name,
    words,
    terminal,
  }: {
    readonly name: string;
    readonly words: readonly string[];
    readonly terminal: Terminal;
  },
): Promise<unknown> {
  return await callInput(words, {
    readStdin: async () => await terminal.readStdin(),
    mainKey: mainKey((await kit.registry.resolve(name)?.listing())?.inputSchema),
  });
}

/** Returns the first required key of a schema. */
function mainKey(schema: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const required = schema?.["required"];
  const first: unknown = Array.isArray(required) ? required[0] : undefined;
  return typeof first === "string" ? first : undefined;
}
