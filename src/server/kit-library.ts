import type { Explanation, ObservableToolkit, OnAsk, StoreFs, Toolkit } from "../core/index.ts";
import type { McpLibrary, McpResource } from "../mcp/index.ts";
import { redact } from "../redact/index.ts";
import type { SessionInfo } from "../session/index.ts";
import { joinPath, visibleText } from "../text/index.ts";
import { skillResources, type LibrarySkills } from "./skill-resources.ts";

/** Part of a kit from which its resources and prompts come. */
export interface LibraryKit extends Pick<Toolkit, "explain">, ObservableToolkit {
  /** Returns the kit with what a program may see that has one session; without it such a program sees no artifacts. */
  forSession?(sessionId: string): LibraryKit;
  /** Directory in which its tools work. */
  readonly workspace: { readonly path: string };
  /** Directory of the artifacts of its workspace, and operations on its files. */
  readonly storage: { readonly artifactDirectory: string; readonly fs: StoreFs };
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
  readonly skills: LibrarySkills;
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
        readonly limitsSession?: boolean;
        readonly onAsk?: OnAsk | undefined;
      },
    ): Promise<{ readonly prompt: string }>;
  };
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
/** Maximum number of artifacts and of sessions that a list names, the latest first. */
const maxListed = 100;
/** Maximum size of one resource: bytes of a file, or characters of a text. */
const maxSize = 1_000_000;
const argument = "arguments";

/**
 * Artifacts, sessions, skills and commands of a kit as resources and prompts. A client sees what a model of this
 * workspace would: secrets are left out, rules that deny reading hold, and parts that need trust are not offered. With
 * `own`, of the sessions and artifacts only those of that one.
 */
export function kitLibrary(all: LibraryKit, own?: string): McpLibrary {
  const ofSession = own === undefined ? undefined : all.forSession?.(own);
  const kit = ofSession ?? all;
  const artifacts = own === undefined || ofSession !== undefined ? artifactFiles(kit) : undefined;
  // The data directory may be that of several workspaces, and a program that has one session sees only that.
  const isOffered = ({ workspace, sessionId }: SessionInfo): boolean =>
    workspace === kit.workspace.path && (own === undefined || own === sessionId);
  const sessions = async (): Promise<readonly SessionInfo[]> => {
    if (own === undefined) return (await kit.sessions.list({ limit: maxListed })).filter(isOffered);
    const info = await kit.sessions.get(own);
    return info !== undefined && isOffered(info) ? [info] : [];
  };
  const skills = skillResources(kit);
  const commands = async (): Promise<readonly LibraryCommand[]> =>
    (await kit.commands.list()).commands.filter(({ needsTrust }) => !needsTrust);
  return {
    templates: [
      ...(artifacts === undefined
        ? []
        : [
            {
              uriTemplate: `${artifactBase}{name}`,
              name: "artifact",
              description: "The whole output of a call that was shortened.",
              mimeType: "text/plain",
            },
          ]),
      {
        uriTemplate: `${sessionBase}{id}`,
        name: "session",
        description: "The log of a session, one JSON value a line, without secrets.",
        mimeType: "application/jsonl",
      },
      {
        uriTemplate: "skill://{name}/SKILL.md",
        name: "skill",
        description: "The instructions of a skill.",
        mimeType: "text/markdown",
      },
    ],
    async resources() {
      const found = await Promise.all([skills.list(), sessions(), artifacts?.list() ?? []]);
      const [ofSkills, ofSessions, ofArtifacts] = found;
      return [
        ...ofSkills,
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
      const ofSkill = await skills.read(uri);
      if (ofSkill !== undefined) return [ofSkill];
      const sessionId = partOf(uri, sessionBase, "");
      if (sessionId !== undefined) {
        const info = await kit.sessions.get(sessionId);
        if (info === undefined || !isOffered(info)) return undefined;
        const text = bounded(await kit.sessions.export(sessionId));
        return [{ uri, mimeType: "application/jsonl", text }];
      }
      const text = await artifacts?.read(partOf(uri, artifactBase, "") ?? "");
      return text === undefined ? undefined : [{ uri, mimeType: "text/plain", text }];
    },
    skills: async () => await skills.skills(),
    watch(uri, onChange) {
      const sessionId = partOf(uri, sessionBase, "");
      const isOther = own !== undefined && own !== sessionId;
      if (sessionId === undefined || isOther) return () => undefined;
      return kit.events.subscribe((event) => {
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
    async prompt({ name, arguments: given, signal, sessionId, onAsk }) {
      const found = (await commands()).find((each) => each.name === name);
      if (found === undefined) return undefined;
      const text = given[argument];
      const { prompt } = await kit.commands.expand(name, {
        signal,
        // The client follows the prompt with calls of its own, and no run limits those.
        limitsSession: true,
        onAsk,
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
      const names = of.template.startsWith("skill://")
        ? await skills.names()
        : of.template.startsWith(sessionBase)
          ? (await sessions()).map(({ sessionId }) => sessionId)
          : of.template.startsWith(artifactBase)
            ? ((await artifacts?.list()) ?? []).map(({ name }) => name)
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
  const { fs, artifactDirectory: directory } = kit.storage;
  const names = async (): Promise<readonly string[]> => {
    const found = await namesIn(directory, fs);
    // Those of each session are in a directory of its own.
    const inside = found
      .filter((name) => isOfSession.test(name))
      .map(async (name) =>
        (await namesIn(joinPath(directory, name), fs)).map((each) => `${name}.${each}`),
      );
    return [...found, ...(await Promise.all(inside)).flat()];
  };
  const pathOf = (name: string): string | undefined => {
    const [, session, file] = artifactName.exec(name) ?? [];
    if (file === undefined) return undefined;
    return joinPath(session === undefined ? directory : joinPath(directory, session), file);
  };
  return {
    async list() {
      const found: { readonly resource: McpResource; readonly at: number }[] = [];
      for (const name of await names()) {
        const path = pathOf(name);
        const info = path === undefined ? undefined : await fs.stat(path).catch(() => undefined);
        if (info?.kind !== "file") continue;
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
      const path = pathOf(name);
      if (path === undefined) return undefined;
      const text = await fileText(path, fs);
      if (text === undefined) return undefined;
      const judged = await kit.explain({ name: "Read", input: { file_path: path } });
      return isAllowed(judged) ? redact(text) : undefined;
    },
  };
}

const isOfSession = /^session-[\da-f]{32}$/u;
/** Name of an artifact in its address: that of the directory of its session, if it is of one, and of its file. */
const artifactName = /^(?:(session-[\da-f]{32})\.)?([A-Za-z0-9_-]{1,120}\.txt)$/u;

function isAllowed({ decision }: Explanation): boolean {
  return decision?.kind === "allow";
}

/** Names in a directory; none if it does not exist. */
async function namesIn(directory: string, fs: StoreFs): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of fs.list(directory)) names.push(name);
  } catch {
    return [];
  }
  return names;
}

/** Beginning of a regular file; undefined if there is none, or a link in its place. */
async function fileText(path: string, fs: StoreFs): Promise<string | undefined> {
  try {
    const { kind, size } = await fs.stat(path);
    if (kind !== "file") return undefined;
    const bytes = await fs.readRange(path, { offset: 0, length: Math.min(size, maxSize) });
    const text = new TextDecoder().decode(bytes);
    return size > bytes.length ? `${text}${shortened(size, "bytes")}` : text;
  } catch {
    return undefined;
  }
}

function bounded(text: string): string {
  const safe = redact(text);
  return safe.length > maxSize
    ? `${safe.slice(0, maxSize)}${shortened(safe.length, "characters")}`
    : safe;
}

function shortened(total: number, unit: "bytes" | "characters"): string {
  return `\n[shortened: ${total} ${unit} in all; Read and Grep open the rest]\n`;
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
