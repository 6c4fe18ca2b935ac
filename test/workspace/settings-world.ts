import { memoryHost, type MemoryHost } from "../../src/host/index.ts";
import { decide, type DecideRequest } from "../../src/policy/index.ts";
import {
  loadSettings,
  type LoadSettingsOptions,
} from "../../src/workspace/settings/load-settings.ts";
import type { LoadedSettings } from "../../src/workspace/settings/loaded-settings.ts";

export const workspace = "/project";
export const home = "/home/user";

export function world(files: Readonly<Record<string, string>>): MemoryHost {
  return memoryHost({ root: workspace, home, files });
}

export function load(
  files: Readonly<Record<string, string>>,
  more: Partial<LoadSettingsOptions> = {},
): Promise<LoadedSettings> {
  return loadSettings({ host: world(files), workspace, home, trusted: true, ...more });
}

export function problemsOf({ problems }: LoadedSettings): readonly string[] {
  return problems.map(({ severity, message, hint = "", file = "", line = "" }) =>
    `${severity} ${file}:${line} ${message} ${hint}`.trim(),
  );
}

export function decides(
  loaded: LoadedSettings,
  on: DecideRequest["effects"],
  more: Partial<DecideRequest> = {},
): string {
  return decide({
    tool: { name: "AnyTool", touches: ["read", "write", "execute"] },
    input: {},
    effects: on,
    rules: loaded.compiled.rules,
    mode: "default",
    boundary: {
      roots: [workspace, ...loaded.additionalDirectories],
      restrictToWorkspace: false,
      home,
    },
    trusted: true,
    ...more,
  }).kind;
}

export function reads(path: string): DecideRequest["effects"] {
  return [{ kind: "read", path, scope: "file" }];
}

export function writes(path: string): DecideRequest["effects"] {
  return [{ kind: "write", path, scope: "file", change: "modify" }];
}

export function runs(text: string): DecideRequest["effects"] {
  return [
    {
      kind: "execute",
      argv: text.split(" "),
      assigns: [],
      via: [],
      consequences: "open",
      span: { start: 0, end: text.length },
    },
  ];
}
