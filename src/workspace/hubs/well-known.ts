import { ToolError } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import {
  checkPath,
  createPackage,
  invalidPackage,
  packageLimits,
  tooManyBytes,
  tooManyFiles,
  type PackageFile,
} from "../packages/package.ts";
import { readArchive } from "../packages/read-archive.ts";
import {
  checkHash,
  hubText,
  sha256,
  type HubNetwork,
  type HubPackage,
  type SkillHub,
} from "./hub.ts";

/** Places of the index, the present one first. */
const places = [".well-known/agent-skills", ".well-known/skills"];

type Entry = Readonly<Record<string, unknown>>;

/** A site that lists its skills at a well-known address. */
export function wellKnown(url: string): SkillHub {
  return {
    kind: "well-known",
    url,
    async search(query, network) {
      const { entries } = await indexOf(url, network);
      const words = query.toLowerCase().split(/\s+/u);
      return entries.flatMap((entry) => {
        const [name, description] = [hubText(entry["name"], 64), hubText(entry["description"])];
        const text = `${name} ${description}`.toLowerCase();
        if (name === undefined || !words.every((word) => text.includes(word))) return [];
        const about = description === undefined ? {} : { description };
        return [
          { id: `well-known:${name}`, name, ...about, source: new URL(url).host, kind: "skill" },
        ];
      });
    },
    async download(name, network) {
      const { place, entries } = await indexOf(url, network);
      const entry = entries.find((each) => each["name"] === name);
      if (entry === undefined) {
        throw new ToolError("NOT_FOUND", `${url} has no skill ${JSON.stringify(name)}.`, {
          hint: "haft skills search lists its skills.",
        });
      }
      return Array.isArray(entry["files"])
        ? await separateFiles(entry, { place, network })
        : await oneFile(entry, { place, network, url });
    },
  };
}

async function indexOf(
  url: string,
  network: HubNetwork,
): Promise<{ readonly place: string; readonly entries: readonly Entry[] }> {
  for (const place of places) {
    const index = await network.optionalJson(`${place}/index.json`);
    if (index === undefined) continue;
    const skills: unknown = isRecord(index) ? index["skills"] : undefined;
    if (!Array.isArray(skills)) throw invalidPackage(`The index of ${url} has no list \`skills\`.`);
    return { place, entries: skills.filter(isRecord) };
  }
  throw new ToolError("NOT_FOUND", `${url} lists no skills.`, {
    hint: `Such a site has a file /${places[0]}/index.json.`,
  });
}

interface Reading {
  readonly place: string;
  readonly network: HubNetwork;
}

/** The form with one file, SKILL.md or an archive, whose hash the index announces. */
async function oneFile(
  { type, url, digest }: Entry,
  { place, network, url: hub }: Reading & { readonly url: string },
): Promise<HubPackage> {
  if (typeof url !== "string" || typeof digest !== "string") {
    throw invalidPackage("The index names no address and hash of the skill.");
  }
  if (!URL.canParse(url, hub)) throw invalidPackage("The index names no address of the skill.");
  const bytes = await network.bytes(new URL(url, `${hub}/${place}/index.json`).href);
  checkHash(`sha256:${sha256(bytes)}`, digest, hub);
  if (type === "archive") return { package: readArchive(bytes), warnings: [] };
  if (type !== "skill-md") throw invalidPackage(`The index names a ${JSON.stringify(type)}.`);
  const file = { path: "SKILL.md", bytes, isExecutable: false };
  return { package: createPackage([file]), warnings: [] };
}

/** The older form: each file has an address of its own. */
async function separateFiles(
  { name, files }: Entry,
  { place, network }: Reading,
): Promise<HubPackage> {
  const paths: readonly unknown[] = Array.isArray(files) ? files : [];
  if (paths.length > packageLimits.files) throw tooManyFiles();
  const found: PackageFile[] = [];
  let size = 0;
  for (const path of paths) {
    if (typeof path !== "string")
      throw invalidPackage("The index names a file that is not a text.");
    checkPath(path);
    const encoded = path
      .split("/")
      .map((part) => encodeURIComponent(part))
      .join("/");
    const bytes = await network.bytes(`${place}/${encodeURIComponent(String(name))}/${encoded}`);
    size += bytes.length;
    if (size > packageLimits.bytes) throw tooManyBytes();
    const isExecutable = bytes[0] === 0x23 && bytes[1] === 0x21;
    found.push({ path, bytes, isExecutable });
  }
  return { package: createPackage(found), warnings: ["The site announces no hash of this skill."] };
}
