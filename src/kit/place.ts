import { joinPath, ToolError, type Host, type Mode, type SaveScope } from "../core/index.ts";
import type { Boundary, RuleProblem, RuleSource } from "../policy/index.ts";
import type { ToolkitOptions } from "./options.ts";

/** Where a kit works and by whose settings. All paths canonical. */
export interface Place {
  readonly workspace: string;
  readonly dataDirectory: string;
  readonly boundary: Boundary;
  readonly mode: Mode;
  readonly trusted: boolean;
  readonly anchors: Pick<RuleSource, "base" | "cwd" | "home">;
  readonly sources: readonly RuleSource[];
  readonly problems: readonly RuleProblem[];
  readonly storeRule:
    | ((rule: string, scope: Exclude<SaveScope, "session">) => Promise<void>)
    | undefined;
}

export async function openPlace(host: Host, options: ToolkitOptions): Promise<Place> {
  const { home, cwd } = host.info;
  const workspace = await folder(host, options.workspace ?? cwd, "workspace");
  const dataDirectory = await host.fs.canonical(
    options.dataDirectory ?? joinPath(home, `.haft/data/${workspace.replaceAll("/", "-")}`),
    { base: cwd },
  );
  const anchors = { base: workspace, cwd: workspace, home };
  return {
    workspace,
    dataDirectory,
    boundary: {
      roots: [workspace],
      readOnlyRoots: [joinPath(dataDirectory, "artefacts")],
      restrictToWorkspace: false,
      home,
    },
    mode: options.mode ?? "default",
    trusted: options.trust ?? false,
    anchors,
    sources: [],
    problems: [],
    storeRule: undefined,
  };
}

/** A folder that is there, by its canonical path. */
async function folder(host: Host, path: string, what: string): Promise<string> {
  const canonical = await host.fs.canonical(path, { base: host.info.cwd });
  const { kind } = await host.fs.stat(canonical);
  if (kind !== "directory") {
    throw new ToolError("NOT_A_DIRECTORY", `The ${what} ${path} is no folder.`, {
      hint: "Name a folder that exists.",
    });
  }
  return canonical;
}
