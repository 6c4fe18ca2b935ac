import { createHash } from "node:crypto";
import type { Toolkit } from "../core/index.ts";
import type { McpResource, McpResourceContent, McpSkill } from "../mcp/index.ts";
import { visibleText } from "../text/index.ts";

/** A skill that may become a resource. */
export interface LibrarySkill {
  /** Name of the skill. */
  readonly name: string;
  /** Purpose of the skill. */
  readonly description: string;
  /** Path of SKILL.md. */
  readonly file: string;
  /** Whether a model may use it. */
  readonly isModelInvocable: boolean;
  /** Whether its workspace must be trusted first. */
  readonly needsTrust: boolean;
  /** Reasons for which it cannot be used. */
  readonly faults: readonly unknown[];
}

/** Fields and files of a skill. */
export interface LibrarySkillFiles {
  /** Fields of SKILL.md. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Files of the skill. */
  readonly files: readonly {
    /** Path below the skill's directory. */
    readonly path: string;
    /** Text; missing if it is not text. */
    readonly text?: string;
    /** Bytes of the file. */
    readonly bytes: Uint8Array;
  }[];
}

/** Skills of a kit. */
export interface LibrarySkills {
  /** Lists the skills. */
  list(): Promise<readonly LibrarySkill[]>;
  /** Returns a skill with all its files, without secrets. */
  export(file: string): Promise<LibrarySkillFiles>;
}

const skillBase = "skill://";
const mainFile = "SKILL.md";

/** Skills of a kit as resources, and as what clients that know skills ask for. */
export interface SkillResources {
  /** Names of the skills that are offered. */
  names(): Promise<readonly string[]>;
  /** Lists their texts. */
  list(): Promise<readonly McpResource[]>;
  /** Lists them with all their files; one that cannot be read is left out. */
  skills(): Promise<readonly McpSkill[]>;
  /** Reads a file of a skill; undefined for another address. */
  read(uri: string): Promise<McpResourceContent | undefined>;
}

/** Offers the skills that a model of this workspace may use, without secrets and the files that it may not read. */
export function skillResources(
  kit: Pick<Toolkit, "explain"> & { readonly skills: LibrarySkills },
): SkillResources {
  const mayRead = async (name: string, file: string): Promise<boolean> => {
    const { decision } = await kit.explain({ name: "ReadSkill", input: { name, file } });
    return decision?.kind === "allow";
  };
  const offered = async (): Promise<readonly LibrarySkill[]> =>
    (await kit.skills.list()).filter(
      (each) => each.isModelInvocable && !each.needsTrust && each.faults.length === 0,
    );
  return {
    names: async () => (await offered()).map(({ name }) => name),
    list: async () =>
      (await offered()).map(({ name, description }) => ({
        uri: addressOf(name, mainFile),
        name,
        description: visibleText(description),
        mimeType: markdown,
      })),
    async skills() {
      const found = await Promise.all(
        (await offered()).map(async ({ name, file }) => {
          const exported = await kit.skills.export(file).catch(() => undefined);
          if (exported === undefined || !(await mayRead(name, mainFile))) return [];
          const { fields: frontmatter, files } = exported;
          const resources: McpSkill["resources"][number][] = [];
          for (const { path, bytes } of files) {
            if (!(await mayRead(name, path))) continue;
            resources.push({
              uri: addressOf(name, path),
              digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
              size: bytes.length,
            });
          }
          return [{ uri: addressOf(name, mainFile), frontmatter, resources }];
        }),
      );
      return found.flat();
    },
    async read(uri) {
      if (!uri.startsWith(skillBase)) return undefined;
      for (const { name, file } of await offered()) {
        if (!uri.startsWith(addressOf(name, ""))) continue;
        const exported = await kit.skills.export(file);
        const found = exported.files.find(({ path }) => addressOf(name, path) === uri);
        if (found === undefined || !(await mayRead(name, found.path))) return undefined;
        const { path, text, bytes } = found;
        if (text === undefined) return { uri, blob: Buffer.from(bytes).toString("base64") };
        return { uri, mimeType: path.endsWith(".md") ? markdown : "text/plain", text };
      }
      return undefined;
    },
  };
}

const markdown = "text/markdown";

/** Address of a file of a skill. The plugin of a skill is a directory above it. */
function addressOf(name: string, path: string): string {
  const parts = [...name.split(":"), ...path.split("/")];
  return `${skillBase}${parts.map(encodeURIComponent).join("/")}`;
}
