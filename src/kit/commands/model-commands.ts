import { nearestName, ToolError, type Host, type SlashCommands } from "../../core/index.ts";
import { commandReader, notUsable, type LoadedCommands } from "../../workspace/index.ts";
import type { ServerPrompts } from "../mcp/server-prompts.ts";
import type { ActiveCeilings } from "../skills/active-ceilings.ts";
import type { Place } from "../workspace-context.ts";

export interface ModelCommandsParts {
  readonly host: Host;
  readonly place: Pick<Place, "workspace" | "anchors" | "trusted" | "recorded" | "plugins">;
  readonly ceilings: ActiveCeilings;
  /** Prompts of MCP servers; undefined where there are none. */
  readonly prompts: () => ServerPrompts | undefined;
}

/**
 * Slash commands for a model. What a command inserts becomes a request, so that it is judged like any call of the model
 * itself; nothing runs on the model's behalf.
 */
export function modelCommands({
  host,
  place,
  ceilings,
  prompts,
}: ModelCommandsParts): SlashCommands {
  const load = async (): Promise<LoadedCommands> => {
    const { loadCommands } = await commandReader();
    return await loadCommands({ ...place, host, home: place.anchors.home });
  };
  const usable = async () => {
    const { commands, unusable } = await load();
    return { files: [...commands.values()].filter(({ isForModel }) => isForModel), unusable };
  };
  return {
    async list() {
      const { files } = await usable();
      const own = new Set(files.map(({ name }) => name));
      const ofServers = (prompts()?.list() ?? []).filter(({ name }) => !own.has(name));
      return [
        ...files.map(({ name, description }) => ({ name, description })),
        ...ofServers.map(({ name, usage, description }) => ({
          name,
          description: usage === "" ? description : `${description} Arguments: ${usage}`,
        })),
      ];
    },
    async use(name, args, caller) {
      const { files: all, unusable } = await usable();
      const wanted = name.replace(/^\//u, "");
      const command = all.find((each) => each.name === wanted);
      if (command === undefined) {
        const prompt = await prompts()?.find(wanted);
        if (prompt === undefined) {
          const problem = unusable.get(wanted);
          if (problem !== undefined) throw notUsable(`/${wanted}`, problem);
          const names = [...all, ...(prompts()?.list() ?? [])].map((each) => each.name);
          throw unknown(name, names);
        }
        const { name: tool, input } = prompt.callFor(args);
        const text = `(Call ${tool} with ${JSON.stringify(input)}, then follow what it returns.)`;
        return { name: wanted, text };
      }
      await command.verify?.();
      const { allowedTools } = command;
      const { expandCommand } = await commandReader();
      const text = await expandCommand(command, args, {
        shell: async (program) => `(Run this with Bash and read its output here: \`${program}\`)`,
        file: async (path) => `(Read this file here: ${path})`,
      });
      if (allowedTools !== undefined) ceilings.activate(`/${command.name}`, allowedTools, caller);
      return { name: command.name, text, ...(allowedTools === undefined ? {} : { allowedTools }) };
    },
  };
}

function unknown(name: string, names: readonly string[]): ToolError {
  const near = nearestName(name.slice(0, 64), names);
  const listed = names.slice(0, 50).join(", ");
  return new ToolError("NOT_FOUND", `There is no command ${JSON.stringify(name.slice(0, 64))}.`, {
    hint: near === undefined ? `The commands are ${listed}.` : `Did you mean ${near}?`,
  });
}
