import { fixtureLibrary } from "./fixture-library.ts";
import { fixtureTools } from "./fixture-tools.ts";
import { listToolkit, type ListToolkit } from "./list-toolkit.ts";

/** The kit behind every fixture server; a call can make it offer one tool more or less. */
export function fixtureKit({ pauseMs = 0 } = {}): ListToolkit {
  const kit: ListToolkit = listToolkit(
    fixtureTools({
      pauseMs,
      changeTools: (tool) => {
        const isOffered = kit.listings().some(({ name }) => name === tool.name);
        if (isOffered) kit.remove(tool.name);
        else kit.add(tool);
      },
    }),
  );
  return kit;
}

/** Name and version of the fixture servers. */
export const fixtureOptions = {
  name: "haft-fixture",
  version: "0.0.0",
  instructions: "Tools to hold a client against.",
  library: async () => fixtureLibrary,
} as const;
