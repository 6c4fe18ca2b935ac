import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Kit, Tool } from "../../../index.ts";
import type { McpLibrary } from "../../../entries/mcp.ts";
import type { Terminal } from "../../terminal.ts";
import { UsageError } from "../../usage-error.ts";

/** Option of the verbs that serve tools. */
export const moduleOptions = { module: { type: "string", multiple: true } } as const;

export const moduleOptionsHelp = `      --module FILE     also serve the tools that your module exports; the module runs in this process; may be
                        repeated (docs/mcp.md has an example)
`;

/** Tools and texts of modules that the user named on the command line. */
export interface OwnModules {
  /** Adds their tools to a kit. */
  register(kit: Kit): Promise<void>;
  readonly libraries: readonly McpLibrary[];
  /** Whether calls of their tools may or must be tasks, by name. */
  readonly taskSupport: Readonly<Record<string, "optional" | "required">>;
}

interface OwnModule {
  readonly tools?: readonly Tool[] | ((kit: Kit) => readonly Tool[]);
  readonly library?: McpLibrary;
  readonly taskSupport?: Readonly<Record<string, "optional" | "required">>;
}

/** Loads the modules of `--module`. Only the command line names them, never a file of the workspace. */
export async function loadModules(
  files: readonly string[] | undefined,
  { cwd }: Pick<Terminal, "cwd">,
): Promise<OwnModules> {
  const modules: { readonly file: string; readonly own: OwnModule }[] = [];
  for (const file of files ?? []) {
    if (file === "") throw new UsageError("--module is empty.", "Name a file, or leave it out.");
    modules.push({ file, own: await load(file, resolve(cwd, file)) });
  }
  return {
    async register(kit) {
      for (const { file, own } of modules) {
        const { tools = [] } = own;
        try {
          kit.registry.registerAll(typeof tools === "function" ? tools(kit) : tools);
          await kit.registry.prepare();
        } catch (error) {
          throw new UsageError(`The tools of --module ${file} cannot be used: ${reason(error)}`);
        }
      }
    },
    libraries: modules.flatMap(({ own }) => own.library ?? []),
    taskSupport: Object.assign({}, ...modules.map(({ own }) => own.taskSupport ?? {})),
  };
}

async function load(file: string, path: string): Promise<OwnModule> {
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(`--module ${file} cannot be loaded: ${reason(error)}`);
  }
  if (isOwnModule(loaded)) return loaded;
  throw new UsageError(
    `--module ${file} exports no tools.`,
    "Export tools, a list as defineTool makes them, or a function of the kit that returns one.",
  );
}

function isOwnModule(value: unknown): value is OwnModule {
  if (typeof value !== "object" || value === null) return false;
  const { tools, library }: Partial<Record<keyof OwnModule, unknown>> = value;
  return Array.isArray(tools) || typeof tools === "function" || library !== undefined;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
