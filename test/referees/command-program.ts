import { main } from "../../src/cli/main.ts";
import { typeScriptFlags } from "../support/from-source.ts";

/** The words that start the command from its source, in a process of its own. */
export const command: readonly string[] = [
  process.execPath,
  ...typeScriptFlags,
  import.meta.filename,
];

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
