import { nearestName, ToolError, type Host, type SlashCommands } from "../../core/index.ts";
import { commandReader, type LoadedCommands } from "../../workspace/index.ts";
import type { ActiveCeilings } from "../skills/active-ceilings.ts";
import type { Place } from "../workspace-context.ts";

export interface ModelCommandsParts {
  readonly host: Host;
  readonly place: Pick<Place, "workspace" | "dataDirectory" | "anchors" | "trusted" | "plugins">;
  readonly ceilings: ActiveCeilings;
}

/**
 * Slash commands for a model. What a command inserts becomes a request, so that it is judged like any call of the model
 * itself; nothing runs on the model's behalf.
 */
export function modelCommands({ host, place, ceilings }: ModelCommandsParts): SlashCommands {
  const load = async (): Promise<LoadedCommands> => {
    const { loadCommands } = await commandReader();
    return await loadCommands({ ...place, host, home: place.anchors.home });
  };
  const usable = async () =>
    Array.from((await load()).commands.values()).filter(({ isForModel }) => isForModel);
  return {
    list: async () => (await usable()).map(({ name, description }) => ({ name, description })),
    async use(name, args, caller) {
      const all = await usable();
      const command = all.find((each) => each.name === name.replace(/^\//u, ""));
      if (command === undefined)
        throw unknown(
          name,
          all.map((each) => each.name),
        );
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
