import type { Host } from "../../core/index.ts";
import type { TrustedProgram, TrustState } from "../../workspace/index.ts";
import type { Place } from "../workspace-context.ts";

/** Whether the user trusts a workspace, and what that permits. */
export interface WorkspaceTrust extends TrustState {
  /** Canonical path: trust applies to this directory and no other. */
  readonly workspace: string;
  /** Settings that apply only with trust: the file and the setting of each. */
  readonly permits: readonly string[];
  /** Allow rules among them. */
  readonly allows: readonly string[];
  /** Commands that its configuration starts once it is trusted. */
  readonly programs: readonly TrustedProgram[];
  /**
   * Records that the user trusts exactly the listed settings; later changes of them are not trusted. Applies to
   * toolkits that load settings and are opened from now on.
   */
  accept(): Promise<void>;
  /** Records that the workspace is not trusted. */
  revoke(): Promise<void>;
}

/** Reports the recorded trust of a workspace and what its settings request, whatever the kit's `trust` option is. */
export async function workspaceTrust({
  host,
  place,
}: {
  readonly host: Host;
  readonly place: Pick<Place, "workspace" | "dataDirectory" | "turns" | "asUntrusted" | "trusting">;
}): Promise<WorkspaceTrust> {
  const { workspace, dataDirectory, turns } = place;
  const { reviewTrust, recordTrust } = await place.trusting();
  const options = { host, workspace, dataDirectory, turns };
  // Reviewed before the settings are read: a file written in between is shown, but its content is not recorded.
  const { files, programs, ...state } = await reviewTrust(options);
  const settings = await place.asUntrusted();
  const asking = settings.sources.filter(
    ({ list, scope }) => list === "allow" && (scope === "project" || scope === "local"),
  );
  const allows = asking.flatMap(({ rules }) => rules.map(textOf));
  return {
    ...state,
    workspace,
    permits: settings.withheld,
    allows: [...new Set(allows)],
    programs,
    accept: async () => await recordTrust(options, files),
    revoke: async () => await recordTrust(options, undefined),
  };
}

function textOf(rule: unknown): string {
  const text = typeof rule === "object" && rule !== null && "rule" in rule ? rule.rule : rule;
  return typeof text === "string" ? text : JSON.stringify(text);
}
