import { main } from "../../src/cli/main.ts";

// The command from its source, for tests that start it as a process.
await main(process.argv.slice(2));
