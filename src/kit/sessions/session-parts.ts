import { sessionDirectory } from "../../artifacts/index.ts";
import { joinPath } from "../../text/index.ts";
import { kitSandboxes } from "../confinement/kit-sandboxes.ts";
import type { KitParts, SessionScope } from "../kit-parts.ts";
import type { KitServices } from "../services.ts";
import { dataDirectories } from "../../workspace/index.ts";
import type { Place } from "../workspace-context.ts";

/**
 * Dependencies of a kit for one session: of the stored outputs and conversations, its calls read only those of this
 * session and of the sessions that it starts. All of them store their outputs in one directory, the only one that tools
 * and confined programs may read.
 */
export function sessionParts(parts: KitParts, sessionId: string, signal: AbortSignal): KitParts {
  const { place, artifacts, host } = parts;
  const directory = joinPath(place.artifactDirectory, sessionDirectory(sessionId));
  const { home } = place.boundary;
  const there: Place = {
    ...place,
    artifactDirectory: directory,
    boundary: {
      ...place.boundary,
      readOnlyRoots: [directory],
      // Also from a mode that allows everything.
      closed: [place.dataDirectory, ...(home === undefined ? [] : [dataDirectories(home)])],
    },
  };
  const started = new Set<string>();
  const scope: SessionScope = {
    sessionId,
    has: (id) => id === sessionId || started.has(id),
    add(id) {
      if (this.has(id)) return;
      started.add(id);
      artifacts.share(id, sessionId);
    },
  };
  const sandboxes = kitSandboxes(host, there, there.sandbox);
  return {
    ...parts,
    place: there,
    scope,
    artifacts: { ...artifacts, of: () => artifacts.of(sessionId) },
    services: servicesWithin(parts.services, scope),
    // The changes of programs are kept on the overlays of the workspace, whatever a program may read.
    sandboxes: { ...sandboxes, overlays: parts.sandboxes.overlays },
    ownsHost: false,
    isDerived: true,
    releaseHost: async () => await sandboxes.dispose(),
    signal,
  };
}

/** Services by session; a session that gets some was started by a call of the scope. */
function servicesWithin(services: KitServices, scope: SessionScope): KitServices {
  return {
    of(sessionId = scope.sessionId) {
      scope.add(sessionId);
      return services.of(sessionId);
    },
    provides: (token) => services.provides(token),
  };
}
