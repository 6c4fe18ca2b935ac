import { memoryHost } from "../../src/host/index.ts";
import { createToolkit, type Kit } from "../../src/kit/index.ts";
import { fixtureTools } from "./fixture-tools.ts";

/** The fixture tools in a whole toolkit, on a real registry; a call can make it offer one tool more or less. */
export async function registryKit({ pauseMs = 0 } = {}): Promise<Kit> {
  const kit: Kit = await createToolkit({
    host: memoryHost({ now: "real" }),
    // The suite calls tools that nobody is there to be asked about.
    mode: "bypassPermissions",
    tools: { include: [] },
  });
  const tools = fixtureTools({
    pauseMs,
    changeTools: (tool) => {
      if (!kit.registry.unregister(tool.name)) kit.registry.register(tool);
    },
  });
  kit.registry.registerAll(tools);
  await kit.registry.prepare();
  return kit;
}
