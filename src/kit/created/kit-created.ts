import { ToolError, type CreatedTools } from "../../core/index.ts";
import { createdToolsOf, writeStored, type CreatedToolsPlace } from "../../created/index.ts";
import type { Deferral } from "../../registry/index.ts";
import { messageOf } from "../../text/index.ts";
import { isTrusted, trusting } from "../../workspace/index.ts";
import type { CreatedKitParts } from "./lazy-created.ts";

/** Scope of created tools in a registry: a new version replaces the one before. */
export const createdScope = "created";

/** Adds created tools to a kit: to its registry, and after a second yes to the files of its workspace. */
export function kitCreated(parts: CreatedKitParts, deferral: Pick<Deferral, "join">): CreatedTools {
  const { registry, created, place } = parts;
  const definitionOf: CreatedToolsPlace["definitionOf"] = (name) => {
    const holder = registry.resolve(name);
    if (holder === undefined) return undefined;
    const known = created.definitions.get(name);
    if (holder.name === name && holder.source.id === createdScope && known !== undefined) {
      return known;
    }
    throw new ToolError("ALREADY_EXISTS", `The name ${name} belongs to the tool ${holder.name}.`, {
      hint: "Choose another name.",
    });
  };
  return createdToolsOf({
    isEnforced: async () => await isHeld(parts),
    definitionOf,
    add(tool, definition, sessionId) {
      // Another tool may have taken the name while the user was asked.
      const override = definitionOf(definition.name) !== undefined;
      try {
        registry.register(tool, { scope: createdScope, override });
      } catch (cause) {
        // A disabled tool keeps its names.
        throw new ToolError("ALREADY_EXISTS", messageOf(cause), {
          hint: "Choose another name.",
          cause,
        });
      }
      created.definitions.set(definition.name, definition);
      deferral.join(definition.name, sessionId);
    },
    store:
      place.store === undefined
        ? undefined
        : async (definition) => {
            const { host } = parts;
            const { workspace, dataDirectory, turns } = place;
            const options = { host, workspace, dataDirectory, turns };
            const { trusted } = await isTrusted(options);
            const written = await writeStored(workspace, definition, host);
            if (!trusted) return;
            const { acceptChange } = await trusting();
            for (const each of written) await acceptChange(options, each);
          },
  });
}

/** Whether a sandbox here holds programs to what they declare. */
export async function isHeld({
  host,
  sandboxes,
}: Pick<CreatedKitParts, "host" | "sandboxes">): Promise<boolean> {
  if (host.info.capabilities.confinement !== true || sandboxes.require === "off") return false;
  const { isEnforced } = await import("../../sandbox/index.ts");
  try {
    return isEnforced((await (await sandboxes.sandboxes()).probed()).report);
  } catch {
    return false;
  }
}
