import type { Host } from "../../core/index.ts";
import type { TrustState } from "../../workspace/index.ts";
import type { Place } from "../workspace-context.ts";

/** Whether a person trusts what a workspace brings, and what that permits. */
export interface WorkspaceTrust extends TrustState {
  /** Its real path: trust holds for this folder and no other. */
  readonly workspace: string;
  /** What its settings ask for that counts only with trust: the file and what it is. */
  readonly permits: readonly string[];
  /** The allow rules among it. */
  readonly allows: readonly string[];
  /**
   * Records that a person trusts exactly what is said here: what has changed since is not trusted with it. It counts
   * for toolkits that load settings and are opened from now on.
   */
  accept(): Promise<void>;
  /** Records that nobody trusts the workspace. */
  revoke(): Promise<void>;
}

/** What is recorded of a workspace and what its settings ask for, whatever the kit was told of trust. */
export async function workspaceTrust({
  host,
  place,
}: {
  readonly host: Host;
  readonly place: Pick<Place, "workspace" | "dataDirectory" | "asUntrusted" | "trusting">;
}): Promise<WorkspaceTrust> {
  const { workspace, dataDirectory } = place;
  const { reviewTrust, recordTrust } = await place.trusting();
  const options = { host, workspace, dataDirectory };
  // Before the settings: what is put there meanwhile is shown, and not what would be recorded.
  const { files, ...state } = await reviewTrust(options);
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
    accept: async () => await recordTrust(options, files),
    revoke: async () => await recordTrust(options, undefined),
  };
}

function textOf(rule: unknown): string {
  const text = typeof rule === "object" && rule !== null && "rule" in rule ? rule.rule : rule;
  return typeof text === "string" ? text : JSON.stringify(text);
}
