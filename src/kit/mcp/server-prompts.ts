import type { Call } from "../../core/index.ts";
import type { mcpClient } from "../../mcp/index.ts";
import { visibleText } from "../../text/index.ts";
import type { KitServer } from "./kit-mcp.ts";

/** A prompt of a server as a command. */
export interface ServerPrompt {
  /** As it is typed after the slash: `mcp__notes__review`. */
  readonly name: string;
  readonly description: string;
  /** Arguments as they are written; empty if it has none. */
  readonly usage: string;
  readonly arguments: readonly string[];
  /** Name of the server in the settings. */
  readonly server: string;
  /** File that defines the server; undefined if the program does. */
  readonly file: string | undefined;
  /** The call that reads the prompt. Throws INVALID_INPUT if the text does not give its arguments. */
  readonly callFor: (text: string) => Call;
}

/** Prompts of servers. */
export interface ServerPrompts {
  /** Lists those that are remembered; starts no server. */
  list(): readonly ServerPrompt[];
  /** Finds one by its name; a server whose prompts are not known is started for it. Rejects if it fails to. */
  find(name: string): Promise<ServerPrompt | undefined>;
}

export interface ServerPromptsParts {
  readonly client: Pick<Awaited<ReturnType<typeof mcpClient>>, "promptArguments" | "promptUsage">;
  /** Asks the server that a command may belong to for its prompts, if they are not known. */
  readonly learn: (name: string) => Promise<void>;
}

export function serverPrompts(
  servers: readonly KitServer[],
  { client: { promptArguments, promptUsage }, learn }: ServerPromptsParts,
): ServerPrompts {
  const list = (): readonly ServerPrompt[] =>
    servers.flatMap(({ found: { name: server, file }, server: managed }) =>
      (managed?.prompts ?? []).map((prompt) => ({
        name: prompt.offeredAs,
        description: prompt.description || `The prompt ${prompt.name}.`,
        usage: promptUsage(prompt),
        arguments: prompt.arguments.map(({ name }) => name),
        server: visibleText(server),
        file,
        callFor: (text) => ({
          name: "ReadMcpPrompt",
          input: { server, prompt: prompt.name, arguments: promptArguments(prompt, text) },
        }),
      })),
    );
  return {
    list,
    async find(name) {
      await learn(name);
      return list().find((each) => each.name === name);
    },
  };
}
