import { openConfined } from "../../changes/index.ts";
import { ToolError, type Host, type Mode } from "../../core/index.ts";
import { openDiagnostics, type Diagnostics } from "../../diagnostics/index.ts";
import { loadFilesFilter } from "../../host/index.ts";
import { pathBelow, IdSource } from "../../text/index.ts";
import { verifyProgram } from "../../workspace/index.ts";
import type { KitSandboxes } from "../confinement/kit-sandboxes.ts";
import { judging } from "../rules/agent-rules.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { Place } from "../workspace-context.ts";

export interface KitDiagnosticsParts {
  readonly host: Host;
  readonly place: Place;
  readonly sandboxes: KitSandboxes;
  readonly rules: () => RuleBook;
  readonly mode: () => Mode;
}

/**
 * Opens the checkers and language servers of the settings. They run confined like the commands of tools, and the
 * workspace is read-only for them. Many of them run code of the workspace, as plugins and build scripts, so without a
 * sandbox they start only if it is trusted.
 */
export async function openKitDiagnostics(parts: KitDiagnosticsParts): Promise<Diagnostics> {
  const filesFilter = await loadFilesFilter();
  const { host, place, sandboxes, rules, mode } = parts;
  const { workspace, dataDirectory, settings, boundary, trusted } = place;
  const ids = new IdSource();
  const judge: ReturnType<typeof judging> = (agent) =>
    judging({ host, place, rules: rules(), ceilings: [], getMode: mode })(agent);
  const open = openConfined(
    { host, judge, ...sandboxes },
    { isTrial: true, keep: async () => boundary.roots },
  );
  const span = { start: 0, end: 0 };
  return openDiagnostics({
    ...settings.diagnostics,
    programs: {
      host,
      workspace,
      newId: () => ids.next("check"),
      async verify({ command, file }) {
        if (place.recorded === undefined) return;
        const what = `The program ${command[0] ?? ""}`;
        const options = { host, workspace, dataDirectory };
        await verifyProgram({ program: { command }, what, file }, options);
      },
      async confine(argv) {
        const opened = await open({
          effects: [{ kind: "execute", argv, assigns: [], via: [], consequences: "open", span }],
        });
        if (opened.confinement !== undefined || trusted) return opened;
        await opened.close([]);
        throw new ToolError(
          "UNAVAILABLE",
          "Checkers and language servers may run code of the workspace, which is not trusted, and no sandbox confines them here.",
          { hint: "Trust the workspace with haft trust add (trust: true)." },
        );
      },
    },
    matcher: (patterns) => {
      const matches = filesFilter(patterns, undefined);
      return (path) => {
        const below = pathBelow(workspace, path);
        return below !== undefined && below !== "" && matches?.(below) === true;
      };
    },
  });
}
