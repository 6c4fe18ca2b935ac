import { createdTool, readToolFiles } from "../../created/index.ts";
import { ToolError } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import { pluginTools, type Plugin, type SettingsProblem } from "../../workspace/index.ts";
import type { CreatedKitParts } from "../created/lazy-created.ts";
import { isHeld } from "../created/kit-created.ts";

/**
 * Adds the tools of the plugins in use, and returns why others are not added. Each call runs in a process of its own,
 * confined to the effects that the tool declares. Only the content that was installed is used: it stays in memory.
 */
export async function openPluginTools(parts: CreatedKitParts): Promise<readonly SettingsProblem[]> {
  const problems: SettingsProblem[] = [];
  const used = (parts.place.plugins?.all ?? []).filter(
    ({ manifest, faults, needsTrust }) =>
      manifest.tools.length > 0 && faults.length === 0 && !needsTrust,
  );
  const isEnforced = used.length > 0 && (await isHeld(parts));
  for (const plugin of used) {
    try {
      problems.push(...(await addTools(plugin, isEnforced, parts)));
    } catch (error) {
      const message = `No tool of the plugin ${plugin.name} is offered: ${messageOf(error)}`;
      problems.push({ severity: "warning", message, hint: updateHint, file: plugin.root });
    }
  }
  return problems;
}

const updateHint = "haft plugins check shows what is wrong; haft plugins update installs it again.";

async function addTools(
  plugin: Plugin,
  isEnforced: boolean,
  { host, registry }: CreatedKitParts,
): Promise<readonly SettingsProblem[]> {
  const problems: SettingsProblem[] = [];
  for (const { name, fullName, path, files } of await pluginTools(plugin, host)) {
    const read = async (file: string): Promise<string> => {
      const text = files.get(file);
      if (text !== undefined) return text;
      throw new ToolError("NOT_FOUND", `${file} is missing.`, { hint: "Add the file." });
    };
    const { definition, fault } = await readToolFiles(name, read);
    try {
      if (definition === undefined) throw fault ?? new Error("its files cannot be read");
      const tool = createdTool(
        { ...definition, name: fullName },
        {
          isEnforced,
          verify: async () => await whyChanged(plugin),
          origin: {
            source: { id: `plugin:${plugin.name}`, name: `${plugin.name}:${name}`, kind: "custom" },
            category: "plugin",
            hint: "Update the plugin, or do without the tool.",
          },
        },
      );
      registry.register(tool);
    } catch (error) {
      const message = `The tool ${fullName} is not offered: ${messageOf(error)}`;
      const file = `${plugin.root}/${path}/tool.json`;
      problems.push({ severity: "warning", message, hint: updateHint, file });
    }
  }
  return problems;
}

async function whyChanged({ verify }: Plugin): Promise<string | undefined> {
  return await verify().then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
}
