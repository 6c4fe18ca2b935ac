import { ToolError, type Host } from "../../core/index.ts";
import { readDocument } from "../documents/read-document.ts";

/** A file of a skill. */
export interface SkillContent {
  /** Path below the skill's directory. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Limits of a skill that is handed out whole. */
const limits = { files: 512, bytes: 4_000_000, levels: 8 } as const;

/** Reads every file of a skill. Links are left out: their targets may be anywhere. Rejects with TOO_LARGE. */
export async function readSkillFiles(
  directory: string,
  host: Pick<Host, "fs">,
): Promise<readonly SkillContent[]> {
  const found: SkillContent[] = [];
  let bytes = 0;
  const collect = async (below: string, level: number): Promise<void> => {
    for await (const { name } of host.fs.list(below === "" ? directory : `${directory}/${below}`)) {
      const path = below === "" ? name : `${below}/${name}`;
      const { kind, size } = await host.fs.stat(`${directory}/${path}`);
      if (kind === "directory" && level < limits.levels) await collect(path, level + 1);
      if (kind !== "file") continue;
      bytes += size;
      if (found.length >= limits.files || bytes > limits.bytes) throw tooLarge(directory);
      const file = await host.fs.readFile(`${directory}/${path}`, { maxBytes: limits.bytes });
      found.push({ path, bytes: file.bytes });
    }
  };
  await collect("", 0);
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Fields at the beginning of SKILL.md; undefined if they cannot be read. */
export async function skillFields(
  text: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { fields, problems } = await readDocument(text);
  return problems.length === 0 ? fields : undefined;
}

function tooLarge(directory: string): ToolError {
  return new ToolError(
    "TOO_LARGE",
    `The skill in ${directory} has more than ${limits.files} files or ${limits.bytes / 1_000_000} MB.`,
    { hint: "Move what is not part of the skill out of its directory." },
  );
}
