import { isRecord } from "../../../text/index.ts";
import type { Running } from "./server-context.ts";
import { metaKeys, metaOf } from "./versions.ts";

/** Name of the extension for tasks in the revisions without `initialize`. */
export const modernTasks = "io.modelcontextprotocol/tasks";

/** Name of the extension for skills. */
export const skillsExtension = "io.modelcontextprotocol/skills";

/** Whether the client of a request can use tasks. A client that agreed on 2025-11-25 shows it by using them. */
export function canRunTasks({ era, request }: Pick<Running, "era" | "request">): boolean {
  if (era.kind === "legacy") return true;
  const declared = metaOf(request.params)[metaKeys.clientCapabilities];
  const extensions = isRecord(declared) ? declared["extensions"] : undefined;
  return isRecord(extensions) && isRecord(extensions[modernTasks]);
}

/** Whether a client can show the user a form. A client that names no elicitation mode supports forms. */
export function canElicit(capabilities: Readonly<Record<string, unknown>>): boolean {
  const { elicitation } = capabilities;
  if (!isRecord(elicitation)) return false;
  return "form" in elicitation || !("url" in elicitation);
}
