import type { Diagnostics } from "../../diagnostics/index.ts";
import type { KitDiagnosticsParts } from "./kit-diagnostics.ts";

/** Opens the checkers and language servers of the settings; where there are none, nothing of them is loaded. */
export async function openDiagnostics(
  parts: KitDiagnosticsParts,
): Promise<Diagnostics | undefined> {
  const { checkers, servers } = parts.place.settings.diagnostics;
  if (checkers.length === 0 && Object.keys(servers).length === 0) return undefined;
  const { openKitDiagnostics } = await import("./kit-diagnostics.ts");
  return await openKitDiagnostics(parts);
}
