import {
  artifactStore,
  seenFiles,
  languageServers,
  limits,
  searchSettings,
  ToolError,
  type ArtifactStore,
  type SeenFiles,
  type FileView,
  type ServiceToken,
  type ToolContext,
} from "../../core/index.ts";

/**
 * Creates the services of a run whose changes are kept apart: its records about seen files are discarded with it,
 * nothing is stored, and any other service is unavailable, because it might have effects.
 */
export function stagedServices(
  given: <T>(token: ServiceToken<T>) => T | undefined,
): ToolContext["service"] {
  const known = given(seenFiles);
  const own = new Map<string, unknown>([
    [seenFiles.id, known && stagedFileState(known)],
    [limits.id, given(limits)],
    [searchSettings.id, given(searchSettings)],
    // Questions to language servers change nothing.
    [languageServers.id, given(languageServers)],
    [artifactStore.id, keepsNothing],
  ]);
  return <T>(token: ServiceToken<T>): T => {
    const service = own.get(token.id);
    if (isFor(token, service)) return service;
    throw new ToolError("UNAVAILABLE", `A preview has no ${token.id}.`, {
      hint: "Run the call to see its result.",
      data: { service: token.id },
    });
  };
}

function stagedFileState(known: SeenFiles): SeenFiles {
  const noted = new Map<string, FileView | undefined>();
  return {
    saw: (path, view) => void noted.set(path, view),
    view: (path) => (noted.has(path) ? noted.get(path) : known.view(path)),
    forget: (path) => void noted.set(path, undefined),
  };
}

const keepsNothing: ArtifactStore = {
  open: () => ({
    path: "/dev/null",
    write: () => Promise.resolve(),
    end: () => Promise.resolve(undefined),
  }),
};

/** A service stored under a token's id has the token's type. */
function isFor<T>(_token: ServiceToken<T>, service: unknown): service is T {
  return service !== undefined;
}
