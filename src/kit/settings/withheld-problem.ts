import { namedPaths, visibleText } from "../../text/index.ts";
import type {
  FoundServer,
  LoadedPlugins,
  LoadedSettings,
  LoadedSkills,
  SettingsProblem,
} from "../../workspace/index.ts";

export interface WithheldParts {
  readonly workspace: string;
  readonly settings: Pick<LoadedSettings, "withheld">;
  readonly skills: LoadedSkills | undefined;
  readonly plugins: LoadedPlugins | undefined;
  readonly servers: readonly FoundServer[];
  /** Paths whose change ended the trust of the workspace. */
  readonly changed: readonly string[];
}

/** Names what a workspace brings that does not count because it is not trusted, and what ended its trust. */
export function withheldProblem({
  workspace,
  settings,
  skills,
  plugins,
  servers,
  changed,
}: WithheldParts): readonly SettingsProblem[] {
  const withheld = [
    ...settings.withheld,
    ...shortened(withheldSkills(skills)),
    ...shortened(withheldPlugins(plugins)),
    ...shortened(withheldServers(servers)),
  ];
  if (changed.length === 0 && withheld.length === 0) return [];
  const without =
    withheld.length === 0
      ? "its own settings may only forbid things"
      : `these of its settings do not count: ${byPlace(withheld, workspace).join("; ")}`;
  const problem =
    changed.length === 0
      ? {
          message: `This workspace is not trusted, so ${without}.`,
          hint: "If they are yours, haft trust add enables them, and --trust (trust: true) does so once.",
        }
      : {
          message: `This workspace is not trusted any more, because of changes to ${visibleText(namedPaths(changed, "."))}: ${without}.`,
          hint: "haft trust add shows the configuration and accepts it as it is now.",
        };
  return [{ severity: "warning", ...problem }];
}

/** Parts with the place of each, as in `file: part`, by place. */
function byPlace(withheld: readonly string[], workspace: string): readonly string[] {
  const places = new Map<string, string[]>();
  const others: string[] = [];
  for (const each of withheld) {
    const at = each.indexOf(": ");
    const place = each.slice(0, at).replace(`${workspace}/`, "");
    if (at === -1) others.push(each);
    else places.set(place, [...(places.get(place) ?? []), each.slice(at + 2)]);
  }
  return [...[...places].map(([place, parts]) => `${place} (${parts.join(", ")})`), ...others];
}

/** Parts of one kind for one warning: a project may bring hundreds. */
function shortened(parts: readonly string[]): readonly string[] {
  if (parts.length <= maxNamed) return parts;
  const left = parts.length - maxNamed;
  return [...parts.slice(0, maxNamed), `${left} more of the kind, which haft trust lists`];
}

const maxNamed = 4;

function withheldSkills(skills: LoadedSkills | undefined): readonly string[] {
  const hidden = (skills?.all ?? []).filter((each) => each.needsTrust && each.plugin === undefined);
  return hidden.map(({ info, file }) => `${file}: skill ${info.name}`);
}

/** Servers of an untrusted `.mcp.json`; the settings report their own. */
function withheldServers(servers: readonly FoundServer[]): readonly string[] {
  const hidden = servers.filter(
    ({ needsTrust, file }) => needsTrust && file?.endsWith("/.mcp.json"),
  );
  return hidden.map(({ name, file }) => `${file}: MCP server ${visibleText(name)}`);
}

function withheldPlugins(plugins: LoadedPlugins | undefined): readonly string[] {
  const hidden = (plugins?.all ?? []).filter(({ needsTrust }) => needsTrust);
  return hidden.map(({ name, root }) => `${root}: plugin ${name}`);
}
