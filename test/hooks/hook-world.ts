import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/index.ts";
import { recordTrust, reviewTrust } from "../../src/workspace/trust/change-trust.ts";
import { localHost } from "../../src/host/index.ts";

/** A workspace on this machine with hooks. */
export interface HookWorld extends AsyncDisposable {
  readonly workspace: string;
  readonly dataDirectory: string;
  at(name: string): string;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string | undefined>;
  /** Opens a kit that trusts the workspace. */
  open(options?: ToolkitOptions): Promise<Kit>;
  /** Opens a kit that trusts the workspace as recorded. */
  openRecorded(options?: ToolkitOptions): Promise<Kit>;
  /** Records that the workspace is trusted as it is now. */
  trust(): Promise<void>;
}

/** Hooks of events, each a command for every tool or a whole list. */
export type GivenHooks = Readonly<Record<string, unknown>>;

export async function hookWorld(
  hooks: GivenHooks = {},
  files: Readonly<Record<string, string>> = {},
): Promise<HookWorld> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-hooks-")));
  const workspace = path.join(folder, "workspace");
  const dataDirectory = path.join(folder, "data");
  const at = (name: string): string => path.join(workspace, name);
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
    if (text.startsWith("#!")) await chmod(at(name), 0o755);
  };
  await mkdir(workspace);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  if (Object.keys(hooks).length > 0) {
    await write(".claude/settings.json", JSON.stringify({ hooks: hooksOf(hooks) }, undefined, 2));
  }
  return {
    workspace,
    dataDirectory,
    at,
    write,
    read: async (name) => await readFile(at(name), "utf8").catch(() => undefined),
    open: async (options = {}) =>
      await createToolkit({
        workspace,
        dataDirectory,
        settings: "load",
        trust: true,
        ...options,
      }),
    openRecorded: async (options = {}) =>
      await createToolkit({ workspace, dataDirectory, settings: "load", ...options }),
    async trust() {
      await using host = await localHost();
      const options = { host, workspace, dataDirectory };
      await recordTrust(options, (await reviewTrust(options)).files);
    },
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
}

/** A text is the command of one hook; anything else is written as it is. */
export function hooksOf(hooks: GivenHooks): GivenHooks {
  return Object.fromEntries(
    Object.entries(hooks).map(([event, value]) => [
      event,
      typeof value === "string" ? [{ hooks: [{ type: "command", command: value }] }] : value,
    ]),
  );
}

/** Shell text that prints this answer. */
export function answering(answer: unknown): string {
  return `cat <<'JSON'\n${JSON.stringify(answer)}\nJSON`;
}

/** Answer of a hook before a call. */
export function deciding(fields: Readonly<Record<string, unknown>>): string {
  return answering({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
}
