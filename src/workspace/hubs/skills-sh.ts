import { isRecord } from "../../text/index.ts";
import { createPackage, invalidPackage } from "../packages/package.ts";
import { checkHash, hubText, sha256, type HubSkill, type SkillHub } from "./hub.ts";

/** skills.sh: skills in repositories, found by `owner/repository/name`. */
export function skillsSh(url: string): SkillHub {
  return {
    kind: "skills.sh",
    url,
    async search(query, network) {
      const found = await network.json(`api/search?q=${encodeURIComponent(query)}&limit=20`);
      const skills: unknown = isRecord(found) ? found["skills"] : undefined;
      return (Array.isArray(skills) ? skills : []).filter(isRecord).flatMap(skillOf);
    },
    async download(name, network) {
      const parts = name.split("/");
      if (parts.length !== 3) {
        throw invalidPackage(`${JSON.stringify(name)} is not owner/repository/skill.`);
      }
      const path = parts.map((part) => encodeURIComponent(part)).join("/");
      const found = await network.json(`api/download/${path}`);
      const list: unknown = isRecord(found) ? found["files"] : undefined;
      if (!isRecord(found) || !Array.isArray(list)) {
        throw invalidPackage("The hub did not send a list of files.");
      }
      const texts = list.map((file: unknown) => {
        if (
          isRecord(file) &&
          typeof file["path"] === "string" &&
          typeof file["contents"] === "string"
        )
          return { path: file["path"], contents: file["contents"] };
        throw invalidPackage("The hub sent a file without a path or content.");
      });
      const { hash } = found;
      if (typeof hash === "string") {
        const sorted = texts.toSorted((one, other) => one.path.localeCompare(other.path));
        const actual = sha256(...sorted.flatMap(({ path: at, contents }) => [at, contents]));
        checkHash(actual, hash.replace(/^sha256:/u, ""), url);
      }
      const encoder = new TextEncoder();
      const files = texts.map(({ path: at, contents }) => ({
        path: at,
        bytes: encoder.encode(contents),
        isExecutable: contents.startsWith("#!"),
      }));
      return { package: createPackage(files), warnings: [] };
    },
  };
}

function skillOf({
  id,
  name,
  source,
  installs,
}: Readonly<Record<string, unknown>>): readonly HubSkill[] {
  const [key, title, from] = [hubText(id), hubText(name, 64), hubText(source, 200)];
  if (key === undefined || title === undefined) return [];
  const isWhole = key.split("/").length === 3 || from === undefined;
  return [
    {
      id: `skills.sh:${isWhole ? key : `${from}/${key}`}`,
      name: title,
      ...(from === undefined ? {} : { source: from }),
      ...(typeof installs === "number" ? { installs } : {}),
      kind: "skill",
    },
  ];
}
