import type { McpLibrary } from "../../../entries/mcp.ts";

/** Joins libraries: lists all that they offer, and asks them in order. */
export function joinLibraries(libraries: readonly McpLibrary[]): McpLibrary {
  const [only] = libraries;
  if (only !== undefined && libraries.length === 1) return only;
  return {
    templates: libraries.flatMap(({ templates }) => templates),
    resources: async () =>
      (await Promise.all(libraries.map(async (each) => await each.resources()))).flat(),
    read: async (uri) => await first(libraries, async (each) => await each.read(uri)),
    skills: async () =>
      (await Promise.all(libraries.map(async (each) => (await each.skills?.()) ?? []))).flat(),
    watch(uri, onChange) {
      const stops = libraries.map((each) => each.watch?.(uri, onChange));
      return () => {
        for (const stop of stops) stop?.();
      };
    },
    prompts: async () =>
      (await Promise.all(libraries.map(async (each) => await each.prompts()))).flat(),
    prompt: async (request) => await first(libraries, async (each) => await each.prompt(request)),
    complete: async (of, variable, start) =>
      (
        await Promise.all(libraries.map(async (each) => await each.complete(of, variable, start)))
      ).flat(),
  };
}

async function first<T>(
  libraries: readonly McpLibrary[],
  ask: (library: McpLibrary) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const library of libraries) {
    const found = await ask(library);
    if (found !== undefined) return found;
  }
  return undefined;
}
