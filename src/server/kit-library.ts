import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import type { Explanation, Toolkit } from "../core/index.ts";
import type { McpLibrary, McpResource } from "../mcp/index.ts";
import { redact } from "../redact/index.ts";
import type { SessionInfo } from "../session/index.ts";
import { joinPath, visibleText } from "../text/index.ts";

/** Part of a kit from which its resources and prompts come. */
export interface LibraryKit extends Pick<Toolkit, "explain" | "subscribe"> {
  /** Directory in which its tools work. */
  readonly workspace: string;
  /** Directory of its artifacts. */
  readonly dataDirectory: string;
  /** Stored sessions. */
  readonly sessions: {
    /** Lists the latest sessions. */
    list(options: { readonly limit: number }): Promise<readonly SessionInfo[]>;
    /** Returns a session. */
    get(sessionId: string): Promise<SessionInfo | undefined>;
    /** Returns a session as text, without secrets. */
    export(sessionId: string): Promise<string>;
  };
  /** Skills of the user and the workspace. */
  readonly skills: {
    /** Lists the skills. */
    list(): Promise<readonly LibrarySkill[]>;
    /** Returns the text of a skill. */
    show(file: string): Promise<string>;
  };
  /** Slash commands, and skills that a user may use. */
  readonly commands: {
    /** Lists the commands. */
    list(): Promise<{ readonly commands: readonly LibraryCommand[] }>;
    /** Returns the prompt of a command. */
    expand(
      name: string,
      options: {
        readonly arguments?: string;
        readonly signal?: AbortSignal;
        readonly sessionId?: string;
      },
    ): Promise<{ readonly prompt: string }>;
  };
}

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

/** A command that may become a prompt. */
export interface LibraryCommand {
  /** Name of the command. */
  readonly name: string;
  /** Purpose of the command. */
  readonly description: string;
  /** Arguments in a few words. */
  readonly argumentHint?: string;
  /** Whether its workspace must be trusted first. */
  readonly needsTrust: boolean;
}

const artifactBase = "haft://artifacts/";
const sessionBase = "haft://sessions/";
const skillBase = "skill://";
/** Maximum number of artifacts and of sessions that a list names, the latest first. */
const maxListed = 100;
/** Maximum bytes of one resource. */
const maxBytes = 1_000_000;
const argument = "arguments";

/**
 * Artifacts, sessions, skills and commands of a kit as resources and prompts. A client sees what a model of this
 * workspace would: secrets are left out, rules that deny reading hold, and parts that need trust are not offered. With
 * `own`, of the sessions only that one.
 */
export function kitLibrary(kit: LibraryKit, own?: string): McpLibrary {
  const artifacts = artifactFiles(kit);
  // The data directory may be that of several workspaces, and a program that has one session sees only that.
  const isOffered = ({ workspace, sessionId }: SessionInfo): boolean =>
    workspace === kit.workspace && (own === undefined || own === sessionId);
  const sessions = async (): Promise<readonly SessionInfo[]> =>
    (await kit.sessions.list({ limit: maxListed })).filter(isOffered);
  const skills = async (): Promise<readonly LibrarySkill[]> =>
    (await kit.skills.list()).filter(
      (each) => each.isModelInvocable && !each.needsTrust && each.faults.length === 0,
    );
  const commands = async (): Promise<readonly LibraryCommand[]> =>
    (await kit.commands.list()).commands.filter(({ needsTrust }) => !needsTrust);
  return {
    templates: [
      {
        uriTemplate: `${artifactBase}{name}`,
        name: "artifact",
        description: "The whole output of a call that was shortened.",
        mimeType: "text/plain",
      },
      {
        uriTemplate: `${sessionBase}{id}`,
        name: "session",
        description: "The log of a session, one JSON value a line, without secrets.",
        mimeType: "application/jsonl",
      },
      {
        uriTemplate: `${skillBase}{name}/SKILL.md`,
        name: "skill",
        description: "The instructions of a skill.",
        mimeType: "text/markdown",
      },
    ],
    async resources() {
      const found = await Promise.all([skills(), sessions(), artifacts.list()]);
      const [ofSkills, ofSessions, ofArtifacts] = found;
      return [
        ...ofSkills.map(({ name, description }): McpResource => ({
          uri: `${skillBase}${encodeURIComponent(name)}/SKILL.md`,
          name,
          description: visibleText(description),
          mimeType: "text/markdown",
        })),
        ...ofSessions.map(({ sessionId, title, status }): McpResource => ({
          uri: `${sessionBase}${encodeURIComponent(sessionId)}`,
          name: sessionId,
          title: visibleText(redact(title)),
          description: `A session that is ${status}.`,
          mimeType: "application/jsonl",
        })),
        ...ofArtifacts,
      ];
    },
    async read(uri) {
      const skill = partOf(uri, skillBase, "/SKILL.md");
      if (skill !== undefined) {
        const found = (await skills()).find(({ name }) => name === skill);
        if (found === undefined) return undefined;
        return [
          { uri, mimeType: "text/markdown", text: bounded(await kit.skills.show(found.file)) },
        ];
      }
      const sessionId = partOf(uri, sessionBase, "");
      if (sessionId !== undefined) {
        const info = await kit.sessions.get(sessionId);
        if (info === undefined || !isOffered(info)) return undefined;
        const text = bounded(await kit.sessions.export(sessionId));
        return [{ uri, mimeType: "application/jsonl", text }];
      }
      const text = await artifacts.read(partOf(uri, artifactBase, "") ?? "");
      return text === undefined ? undefined : [{ uri, mimeType: "text/plain", text }];
    },
    watch(uri, onChange) {
      const sessionId = partOf(uri, sessionBase, "");
      const isOther = own !== undefined && own !== sessionId;
      if (sessionId === undefined || isOther) return () => undefined;
      return kit.subscribe((event) => {
        const isChange = event.type === "call-end" || event.type === "turn-end";
        if (isChange && event.sessionId === sessionId) onChange();
      });
    },
    async prompts() {
      return (await commands()).map(({ name, description, argumentHint }) => ({
        name,
        description: visibleText(description),
        arguments: [{ name: argument, description: argumentHint ?? "Text after the command." }],
      }));
    },
    async prompt({ name, arguments: given, signal, sessionId }) {
      const found = (await commands()).find((each) => each.name === name);
      if (found === undefined) return undefined;
      const text = given[argument];
      const { prompt } = await kit.commands.expand(name, {
        signal,
        ...(text === undefined ? {} : { arguments: text }),
        ...(sessionId === undefined ? {} : { sessionId }),
      });
      const content = { type: "text", text: prompt } as const;
      return {
        description: visibleText(found.description),
        messages: [{ role: "user", content }],
      };
    },
    async complete(of, _variable, start) {
      if ("prompt" in of) return [];
      const names = of.template.startsWith(skillBase)
        ? (await skills()).map(({ name }) => name)
        : of.template.startsWith(sessionBase)
          ? (await sessions()).map(({ sessionId }) => sessionId)
          : of.template.startsWith(artifactBase)
            ? (await artifacts.list()).map(({ name }) => name)
            : [];
      return names.filter((name) => name.startsWith(start));
    },
  };
}

/** Files of artifacts, of which a client may read what a model may. */
function artifactFiles(kit: LibraryKit): {
  readonly list: () => Promise<readonly McpResource[]>;
  readonly read: (name: string) => Promise<string | undefined>;
} {
  const isFile = /^[A-Za-z0-9_-]{1,120}\.txt$/u;
  const directory = joinPath(kit.dataDirectory, "artifacts");
  return {
    async list() {
      const found: { readonly resource: McpResource; readonly at: number }[] = [];
      const names = await readdir(directory).catch(() => []);
      for (const name of names.filter((each) => isFile.test(each))) {
        const info = await lstat(joinPath(directory, name)).catch(() => undefined);
        if (info?.isFile() !== true) continue;
        const uri = `${artifactBase}${name}`;
        const resource = { uri, name, mimeType: "text/plain", size: info.size };
        found.push({ resource, at: info.mtimeMs });
      }
      return found
        .toSorted((one, other) => other.at - one.at)
        .slice(0, maxListed)
        .map(({ resource }) => resource);
    },
    async read(name) {
      if (!isFile.test(name)) return undefined;
      const path = joinPath(directory, name);
      const text = await fileText(path);
      if (text === undefined) return undefined;
      const judged = await kit.explain({ name: "Read", input: { file_path: path } });
      return isAllowed(judged) ? redact(text) : undefined;
    },
  };
}

function isAllowed({ decision }: Explanation): boolean {
  return decision?.kind === "allow";
}

/** Beginning of a regular file; undefined if there is none, or a link in its place. */
async function fileText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const info = await file.stat();
      if (!info.isFile()) return undefined;
      const bytes = Buffer.alloc(Math.min(info.size, maxBytes));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      const text = bytes.subarray(0, bytesRead).toString("utf8");
      return info.size > bytesRead ? `${text}${shortened(info.size)}` : text;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

function bounded(text: string): string {
  const safe = redact(text);
  return safe.length > maxBytes ? `${safe.slice(0, maxBytes)}${shortened(safe.length)}` : safe;
}

function shortened(total: number): string {
  return `\n[shortened: ${total} in all; Read and Grep open the rest]\n`;
}

/** Variable part of an address; undefined for another address. */
function partOf(uri: string, base: string, end: string): string | undefined {
  if (!uri.startsWith(base) || !uri.endsWith(end)) return undefined;
  const text = uri.slice(base.length, uri.length - end.length);
  if (text === "" || text.includes("/")) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
