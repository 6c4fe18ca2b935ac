import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { zip, type ArchiveEntry } from "./archives.ts";

/** An answer of a hub. */
export interface HubAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A server with answers by path and query; other paths are 404. */
export interface HubServer extends AsyncDisposable {
  readonly url: string;
  readonly answers: Map<string, HubAnswer>;
  /** Paths that were requested. */
  readonly requests: string[];
}

export async function hubServer(): Promise<HubServer> {
  const answers = new Map<string, HubAnswer>();
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const {
      status = 200,
      headers = {},
      body,
    } = answers.get(request.url ?? "") ?? {
      status: 404,
      body: "",
    };
    response.writeHead(status, headers);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answers,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const notesSkill: Readonly<Record<string, string>> = {
  "SKILL.md":
    "---\nname: notes\ndescription: Takes notes.\nallowed-tools: Read\n---\nTake notes.\n",
  "scripts/clean.sh": "#!/bin/sh\nrm -rf build\n",
};

export function entriesOf(files: Readonly<Record<string, string>>): readonly ArchiveEntry[] {
  return Object.entries(files).map(([name, text]) => ({ name, text }));
}

export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Answers of skills.sh for one skill. */
export function serveSkillsSh(
  { answers }: HubServer,
  files: Readonly<Record<string, string>> = notesSkill,
  hash?: string,
): void {
  const skills = [{ id: "acme/tools/notes", name: "notes", installs: 7, source: "acme/tools" }];
  answers.set("/api/search?q=notes&limit=20", { body: JSON.stringify({ skills }) });
  const list = Object.entries(files).map(([path, contents]) => ({ path, contents }));
  const sorted = list.toSorted((one, other) => one.path.localeCompare(other.path));
  const actual = sha256(sorted.map(({ path, contents }) => path + contents).join(""));
  const body = JSON.stringify({ files: list, hash: hash ?? actual });
  answers.set("/api/download/acme/tools/notes", { body });
}

/** Answers of a site with a well-known index for one archive. */
export function serveWellKnown(
  { answers }: HubServer,
  archive: Buffer = zip(entriesOf(notesSkill)),
  digest: string = `sha256:${sha256(archive)}`,
): void {
  const entry = {
    name: "notes",
    description: "Takes notes.",
    type: "archive",
    url: "notes.zip",
    digest,
  };
  answers.set("/.well-known/agent-skills/index.json", {
    body: JSON.stringify({
      $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
      skills: [entry],
    }),
  });
  answers.set("/.well-known/agent-skills/notes.zip", { body: archive });
}

/** Answers of ClawHub for one skill. */
export function serveClawHub(
  { answers }: HubServer,
  archive: Buffer = zip(entriesOf(notesSkill)),
  moderation: object | null = null,
): void {
  const results = [
    { slug: "notes", displayName: "Notes", summary: "Takes notes.", score: 1, ownerHandle: "ada" },
  ];
  answers.set("/api/v1/search?q=notes&limit=20", { body: JSON.stringify({ results }) });
  // With everything that the hub's own client checks.
  const at = 1_790_000_000_000;
  const latestVersion = { version: "1.2.0", createdAt: at, changelog: "", license: null };
  const skill = {
    slug: "notes",
    displayName: "Notes",
    summary: "Takes notes.",
    tags: { latest: "1.2.0" },
    stats: {},
    createdAt: at,
    updatedAt: at,
  };
  const owner = { handle: "ada", displayName: "Ada", image: null };
  const answer = JSON.stringify({ skill, latestVersion, owner, moderation });
  answers.set("/api/v1/skills/notes", { body: answer });
  answers.set("/api/v1/download?slug=notes&version=1.2.0", { body: archive });
}

/** Answers of the MCP registry. */
export function serveRegistry({ answers }: HubServer): void {
  const servers = [{ server: { name: "io.acme/notes", description: "Notes server." } }];
  answers.set("/v0.1/servers?search=notes&limit=20&version=latest", {
    body: JSON.stringify({ servers }),
  });
}
