import { ToolError, type CreatedTools, type Effect } from "../../core/index.ts";
import {
  createdDirectory,
  createdToolsOf,
  foreignFile,
  storedFiles,
  writeStored,
  type CreatedStorage,
  type CreatedToolsPlace,
} from "../../created/index.ts";
import { decide } from "../../policy/index.ts";
import type { Deferral } from "../../registry/index.ts";
import { messageOf } from "../../text/index.ts";
import { isTrusted, trusting } from "../../workspace/index.ts";
import type { CreatedKitParts, CreatedToolParts } from "./lazy-created.ts";

/** Scope of created tools in a registry: a new version replaces the one before. */
export const createdScope = "created";

/** Adds created tools to a kit: to its registry, and after a second yes to the files of its workspace. */
export function kitCreated(
  parts: CreatedToolParts,
  deferral: Pick<Deferral, "join">,
): CreatedTools {
  const { registry, created, place } = parts;
  const definitionOf: CreatedToolsPlace["definitionOf"] = (name) => {
    const holder = registry.resolve(name);
    if (holder === undefined) {
      const ruled = ruleFor(name, parts);
      if (ruled === undefined) return undefined;
      throw new ToolError(
        "ALREADY_EXISTS",
        `The rule ${ruled} already allows a tool named ${name}.`,
        {
          hint: "Choose another name.",
        },
      );
    }
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
    storage: place.store === undefined ? undefined : storageOf(parts),
  });
}

/**
 * Returns the allow rule that names a tool. The user meant another tool by it, perhaps one of another program, and would
 * not read that calls of a new tool of this name are asked about no more.
 */
function ruleFor(name: string, { rules, place }: CreatedToolParts): string | undefined {
  return rules.allowing(name).find(({ needsTrust }) => place.trusted || !needsTrust)?.ref.rule;
}

/** Tools are judged as those of this one when they are stored: the user answers, and a rule or the mode may refuse. */
const createTool = { name: "CreateTool", touches: ["write"] } as const;

function storageOf(parts: CreatedToolParts): CreatedStorage {
  const { host, place, rules, getMode, ceilings, created } = parts;
  const { workspace, dataDirectory, turns, boundary, trusted } = place;
  const options = { host, workspace, dataDirectory, turns };
  const needsTrust = async (): Promise<boolean> => !trusted && !(await isTrusted(options)).trusted;
  return {
    needsTrust,
    async refusal(definition, before, agent) {
      const directory = `${workspace}/${createdDirectory}/${definition.name}`;
      if ((await host.fs.canonical(directory)) !== directory) {
        return `${directory} is reached by a link.`;
      }
      const effects = [...storedFiles(workspace, definition).keys()].map((path): Effect => ({
        kind: "write",
        path,
        scope: "file",
        change: "any",
      }));
      const decision = decide({
        tool: createTool,
        input: {},
        effects,
        rules: rules.current(),
        mode: getMode(),
        boundary,
        trusted,
        ceilings,
        agent,
        now: host.clock.now(),
      });
      if (decision.kind === "deny") return decision.reason;
      const known = created.stored.get(definition.name) ?? before;
      const foreign = await foreignFile(workspace, { definition, before: known }, host);
      return foreign === undefined
        ? undefined
        : `${foreign} exists and is not of a version of this session. Ask the user to remove it, or choose another name.`;
    },
    async store(definition) {
      const { trusted: isRecorded } = await isTrusted(options);
      const written = await writeStored(workspace, definition, host);
      created.stored.set(definition.name, definition);
      if (!isRecorded) return;
      const { acceptChange } = await trusting();
      for (const each of written) await acceptChange(options, each);
    },
  };
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
