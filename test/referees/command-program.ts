import { main } from "../../src/cli/main.ts";

/** The words that start the command from its source, in a process of its own. */
export const command: readonly string[] = [process.execPath, "--no-warnings", import.meta.filename];

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
