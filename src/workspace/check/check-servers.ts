import type { Host } from "../../core/index.ts";
import { mcpServerSettings } from "../settings/schema/service-settings.ts";
import { readSetting } from "../settings/schema/setting.ts";
import { readSettingsText } from "../settings/settings-text.ts";
import { isRecord } from "../../text/index.ts";
import type { CheckedFile, FileProblem } from "./checked-file.ts";
import { readProjectFile } from "./checked-file.ts";

/** Checks the MCP servers of a workspace, in `.mcp.json`. */
export async function checkServers(
  workspace: string,
  host: Pick<Host, "fs">,
): Promise<readonly CheckedFile[]> {
  const path = `${workspace}/.mcp.json`;
  const file = await readProjectFile(path, host);
  if (file === undefined) return [];
  if ("problem" in file)
    return [{ path, kind: "MCP servers", entries: 0, problems: [file.problem] }];
  const parsed = readSettingsText(file.text);
  const problems: FileProblem[] = [];
  const { broken, value } = parsed;
  const servers = isRecord(value) ? value["mcpServers"] : undefined;
  if (broken !== undefined) {
    problems.push({
      severity: "error",
      message: `This is not JSON (${broken.message}).`,
      hint: "Correct it; until then none of its servers is started.",
      line: broken.line,
    });
  } else if (servers === undefined) {
    problems.push({
      severity: "error",
      message: "There is no object `mcpServers`.",
      hint: 'Write { "mcpServers": { "name": { "command": "…" } } }.',
      line: 1,
    });
  } else {
    const read = readSetting(mcpServerSettings(""), servers, ["mcpServers"]);
    for (const { path: at, message, hint } of read.problems) {
      const line = parsed.lineOf(at);
      problems.push({ severity: "error", message, hint, ...(line === undefined ? {} : { line }) });
    }
    for (const [name, server] of Object.entries(read.value ?? {})) {
      if (!isRecord(server) || "command" in server || "url" in server || "httpUrl" in server)
        continue;
      const line = parsed.lineOf(["mcpServers", name]);
      problems.push({
        severity: "error",
        message: `The server ${JSON.stringify(name)} has neither \`command\` nor \`url\`.`,
        hint: "It is not started.",
        ...(line === undefined ? {} : { line }),
      });
    }
  }
  const entries = isRecord(servers) ? Object.keys(servers).length : 0;
  return [{ path, kind: "MCP servers", entries, problems }];
}
