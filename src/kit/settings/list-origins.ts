import { skills as skillsToken, type DoctorCheck } from "../../core/index.ts";
import { baseName, pathBelow, visibleText } from "../../text/index.ts";
import { handlerText, loadAgents } from "../../workspace/index.ts";
import { kitCommands } from "../commands/kit-commands.ts";
import { kitInstructions } from "../instructions/kit-instructions.ts";
import type { KitParts } from "../kit-parts.ts";

/** A thing that a file brings. */
interface FoundThing {
  readonly name: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** Why it is not used; absent if it is. */
  readonly unused?: string | undefined;
}

/** Maximum number of things of one kind that are named. */
const maxNamed = 20;

/** Commands are only listed here: none of their insertions runs. */
const refuseToInsert = (): never => {
  throw new TypeError("Commands are only listed here.");
};
const noCalls = { call: refuseToInsert, explain: refuseToInsert, derive: refuseToInsert };

/** Says how many tools come from where, and which file brings each thing of the project and the user. */
export async function listOrigins(parts: KitParts): Promise<readonly DoctorCheck[]> {
  const { place, host } = parts;
  const { workspace, trusted, recorded, plugins } = place;
  const { home } = place.anchors;
  const readsFiles = place.store !== undefined;
  const given = { host, workspace, home, trusted, recorded, plugins };
  const agents = readsFiles ? await loadAgents(given) : { agents: [], unused: [] };
  const { commands } = await kitCommands({ ...parts, servers: undefined }, noCalls).list();
  const found = readsFiles ? await kitInstructions(parts).read() : undefined;
  const skills = (await place.findSkills())?.all ?? [];
  const hooks = [
    ...(place.hooks?.set.list() ?? []).map((hook) => ({
      hook,
      unused: hook.asksBecause === undefined ? undefined : needsTrust,
    })),
    ...(place.hooks?.needTrust ?? []).map((hook) => ({ hook, unused: needsTrust })),
  ];
  const kinds: Readonly<Record<string, readonly FoundThing[]>> = {
    settings: place.settings.layers.flatMap(({ file, scope }) =>
      file === undefined ? [] : [{ name: scope, file }],
    ),
    instructions: (found?.files ?? []).map(({ path, isTrusted }) => ({
      name: baseName(path),
      file: path,
      unused: isTrusted ? undefined : "shown as untrusted",
    })),
    hooks: hooks.map(({ hook: { event, handler, origin }, unused }) => ({
      name: `${event} ${handlerText(handler)}`,
      file: origin.file,
      line: origin.line,
      unused,
    })),
    skills: skills.map(({ info, file, faults, needsTrust: isHidden }) => ({
      name: info.name,
      file,
      unused: faults.length > 0 ? "cannot be used" : isHidden ? needsTrust : undefined,
    })),
    commands: commands
      .filter(({ file }) => !file.endsWith("/SKILL.md"))
      .map(({ name, file, needsTrust: isHidden }) => ({
        name: `/${name}`,
        file,
        unused: isHidden ? needsTrust : undefined,
      })),
    agents: [
      ...agents.agents.map(({ name, file }) => ({ name, file })),
      ...agents.unused.map(({ name, file, reason }) => ({
        name,
        file,
        unused: reason === "trust" ? needsTrust : "cannot be used",
      })),
    ],
    "MCP servers": place.servers.map(({ name, file, excludedBy, needsTrust: isHidden }) => ({
      name,
      file,
      unused: isHidden ? needsTrust : excludedBy && `excluded by ${excludedBy}`,
    })),
    plugins: (plugins?.all ?? []).map(({ name, root, faults, needsTrust: isHidden }) => ({
      name,
      file: root,
      unused: faults.length > 0 ? "cannot be used" : isHidden ? needsTrust : undefined,
    })),
  };
  const lists = Object.entries(kinds).flatMap(([kind, all]): readonly DoctorCheck[] =>
    all.length === 0 ? [] : [{ name: kind, state: "ok", text: listed(all, { workspace, home }) }],
  );
  return [toolCounts(parts), ...lists];
}

const needsTrust = "needs trust";

function listed(
  all: readonly FoundThing[],
  { workspace, home }: { readonly workspace: string; readonly home: string },
): string {
  const shown = (file: string): string => {
    const below = pathBelow(workspace, file);
    if (below !== undefined && below !== "") return below;
    const own = pathBelow(home, file);
    return own === undefined ? file : `~/${own}`;
  };
  const texts = all.slice(0, maxNamed).map(({ name, file, line, unused }) => {
    const place = file === undefined ? "of the program" : shown(file);
    const at = line === undefined ? place : `${place}:${line}`;
    return visibleText(`${name} (${unused === undefined ? at : `${at}; ${unused}`})`);
  });
  const more = all.length - texts.length;
  return `${all.length}: ${[...texts, ...(more > 0 ? [`${more} more`] : [])].join(", ")}`;
}

/** Tools by origin: haft itself, the skills, each MCP server with its file, and the program. */
function toolCounts({ registry, place }: KitParts): DoctorCheck {
  const counts = new Map<string, number>();
  for (const {
    traits,
    source: { kind, name },
  } of registry.getAll()) {
    const server = place.servers.find((each) => visibleText(each.name) === name);
    const plugin = place.plugins?.all.find((each) => name.startsWith(`${each.name}:`));
    const isOfSkills = kind !== "mcp" && traits.needs?.some(({ id }) => id === skillsToken.id);
    const origin =
      kind === "mcp"
        ? `from the MCP server ${name}${plugin === undefined ? fileOf(server?.file) : ` of the plugin ${plugin.name}`}`
        : isOfSkills === true
          ? "for skills"
          : kind === "built-in"
            ? "built in"
            : plugin === undefined
              ? "of the program"
              : `of the plugin ${plugin.name}`;
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  const parts = Array.from(counts, ([origin, count]) => `${count} ${origin}`);
  return { name: "tools", state: "ok", text: visibleText(parts.join(", ")) };
}

function fileOf(file: string | undefined): string {
  return file === undefined ? "" : ` (${file})`;
}
