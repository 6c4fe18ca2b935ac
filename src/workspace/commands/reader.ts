export { expandCommand } from "./expand-command.ts";
export { loadCommands } from "./load-commands.ts";
