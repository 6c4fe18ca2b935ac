import { ToolError } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { invalidPackage } from "../packages/package.ts";
import { readArchive } from "../packages/read-archive.ts";
import { hubText, type SkillHub } from "./hub.ts";

/** ClawHub: skills with versions, as archives. */
export function clawHub(url: string): SkillHub {
  return {
    kind: "clawhub",
    url,
    async search(query, network) {
      const found = await network.json(`api/v1/search?q=${encodeURIComponent(query)}&limit=20`);
      const results: unknown = isRecord(found) ? found["results"] : undefined;
      return (Array.isArray(results) ? results : []).filter(isRecord).flatMap((each) => {
        const name = hubText(each["slug"], 64);
        if (name === undefined) return [];
        const description = hubText(each["summary"]) ?? hubText(each["displayName"]);
        const source = hubText(each["ownerHandle"], 64);
        return [
          {
            id: `clawhub:${name}`,
            name,
            ...(description === undefined ? {} : { description }),
            ...(source === undefined ? {} : { source }),
            kind: "skill" as const,
          },
        ];
      });
    },
    async download(name, network) {
      if (!/^[\w.-]+$/u.test(name))
        throw invalidPackage(`${JSON.stringify(name)} is not a name there.`);
      const found = await network.json(`api/v1/skills/${encodeURIComponent(name)}`);
      const skill = isRecord(found) ? found : {};
      const moderation = isRecord(skill["moderation"]) ? skill["moderation"] : {};
      const summary = hubText(moderation["summary"]);
      const why = summary === undefined ? "" : ` ${summary}`;
      if (moderation["isMalwareBlocked"] === true) {
        throw new ToolError("PERMISSION_DENIED", `ClawHub blocks ${name} as malware.${why}`, {
          hint: "Use another skill.",
        });
      }
      const latest = isRecord(skill["latestVersion"])
        ? skill["latestVersion"]["version"]
        : undefined;
      if (typeof latest !== "string") throw invalidPackage(`ClawHub names no version of ${name}.`);
      const query = `slug=${encodeURIComponent(name)}&version=${encodeURIComponent(latest)}`;
      const bytes = await network.bytes(`api/v1/download?${query}`);
      const isSuspicious = moderation["isSuspicious"] === true;
      return {
        package: readArchive(bytes),
        version: latest.slice(0, 64),
        warnings: isSuspicious ? [`ClawHub calls this skill suspicious.${why}`] : [],
      };
    },
  };
}
