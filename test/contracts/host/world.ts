import { expect } from "vitest";
import type {
  GlobEvent,
  GlobQuery,
  GrepEvent,
  GrepQuery,
  Host,
  ProcessChunk,
  ProcessExit,
  ProcessSpec,
} from "../../../src/core/index.ts";

/** One host to try, and what the interface itself cannot make. */
export interface HostWorld {
  readonly host: Host;
  /** An existing, empty, canonical directory. */
  readonly root: string;
  link(path: string, target: string): Promise<void> | void;
  fifo(path: string): Promise<void> | void;
  dispose?(): Promise<void>;
}

export interface HostContractOptions {
  /** A narrowed host canonicalises paths itself, so a link in a path is not refused but judged. */
  readonly isNarrowed?: boolean;
  /** For another search in a host that was tried otherwise. */
  readonly isSearchOnly?: boolean;
  /** It has files and nothing else. */
  readonly startsNoPrograms?: boolean;
  /** It sets no permission bits and times, and keeps no file open. */
  readonly setsNoTraits?: boolean;
}

/** The world of the test that runs. */
export type World = () => ContractWorld;

/** A host world with the shorthands the contract is written in. */
export class ContractWorld {
  readonly host: Host;
  readonly root: string;
  readonly #world: HostWorld;

  constructor(world: HostWorld) {
    this.host = world.host;
    this.root = world.root;
    this.#world = world;
  }

  at(path: string): string {
    return `${this.root}/${path}`;
  }

  async link(path: string, target: string): Promise<void> {
    await this.#world.link(path, target);
  }

  async fifo(path: string): Promise<void> {
    await this.#world.fifo(path);
  }

  async put(path: string, content: string): Promise<void> {
    const slash = path.lastIndexOf("/");
    if (slash > 0) await this.host.fs.mkdir(this.at(path.slice(0, slash)));
    await this.host.fs.writeAtomic(this.at(path), encode(content));
  }

  async read(path: string): Promise<string> {
    return decode((await this.host.fs.readFile(this.at(path))).bytes);
  }

  async names(path: string): Promise<string[]> {
    const found: string[] = [];
    for await (const entry of this.host.fs.list(path === "" ? this.root : this.at(path))) {
      found.push(`${entry.name}:${entry.kind}`);
    }
    return found.toSorted();
  }

  async start(id: string, argv: readonly string[], more: Partial<ProcessSpec> = {}): Promise<void> {
    await this.host.proc.start({ id, argv, cwd: this.root, ...more });
  }

  async finish(id: string, afterSeq = 0): Promise<Finished> {
    return collect(this.host.proc.output(id, afterSeq));
  }

  async grep(query: Partial<GrepQuery>): Promise<Grepped> {
    const events = this.host.search.grep({ root: this.root, pattern: "needle", ...query });
    return collectGrep(events, this.root);
  }

  async glob(query: Partial<GlobQuery>): Promise<Globbed> {
    const root = query.root ?? this.root;
    return collectGlob(this.host.search.glob({ pattern: "**", ...query, root }), root);
  }

  async dispose(): Promise<void> {
    await (this.#world.dispose?.() ?? this.host[Symbol.asyncDispose]());
  }
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function decode(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

export async function first<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}

/** Files of every kind of visibility, each with one match for `needle`. */
export async function plantTree(world: ContractWorld): Promise<void> {
  await world.put(".git/config", "needle");
  await world.put(".gitignore", "*.log\n!kept.log\n/out/\n");
  await world.put(".hidden", "needle");
  await world.put("all.log", "needle");
  await world.put("kept.log", "needle");
  await world.put("out/x.ts", "needle");
  await world.put("src/a.ts", "needle");
  await world.put("lib/b.ts", "needle");
  await world.put("lib/deep/.ignore", "secret.txt\n");
  await world.put("lib/deep/c.ts", "needle");
  await world.put("lib/deep/secret.txt", "needle");
  await world.put("readme.md", "needle");
}

export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: ProcessExit;
  readonly seqs: readonly number[];
  readonly lost: number;
}

export async function collect(chunks: AsyncIterable<ProcessChunk>): Promise<Finished> {
  const printed = { stdout: "", stderr: "" };
  const seqs: number[] = [];
  let exit: ProcessExit | undefined;
  let lost = 0;
  for await (const chunk of chunks) {
    expect(exit).toBeUndefined();
    seqs.push(chunk.seq);
    lost += chunk.lostBefore ?? 0;
    if ("exit" in chunk) exit = chunk.exit;
    else printed[chunk.stream] += decode(chunk.bytes);
  }
  if (exit === undefined) throw new Error("The output ended without an exit.");
  return { ...printed, exit, seqs, lost };
}

export interface Grepped {
  readonly matches: readonly GrepEvent[];
  readonly lines: readonly string[];
  readonly files: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly end: GrepEvent | undefined;
}

async function collectGrep(events: AsyncIterable<GrepEvent>, root: string): Promise<Grepped> {
  const matches: GrepEvent[] = [];
  const lines: string[] = [];
  const files = new Set<string>();
  const counts: [string, number][] = [];
  let end: GrepEvent | undefined;
  for await (const event of events) {
    expect(end).toBeUndefined();
    if (event.kind === "end") {
      end = event;
      continue;
    }
    const below = event.path.slice(root.length + 1);
    files.add(below);
    if (event.kind === "count") {
      counts.push([below, event.matches]);
      continue;
    }
    if (event.kind === "binary") continue;
    if (event.kind === "match") matches.push(event);
    const mark = event.kind === "match" ? ":" : "-";
    lines.push(`${below}:${event.line}${mark}${event.text}`);
  }
  counts.sort(([a], [b]) => (a < b ? -1 : 1));
  return { matches, lines, files: [...files].toSorted(), counts: Object.fromEntries(counts), end };
}

export interface Globbed {
  readonly files: readonly string[];
  readonly end: GlobEvent | undefined;
}

async function collectGlob(events: AsyncIterable<GlobEvent>, root: string): Promise<Globbed> {
  const files: string[] = [];
  let end: GlobEvent | undefined;
  for await (const event of events) {
    if (event.kind === "end") end = event;
    else files.push(...event.files.map(({ path }) => path.slice(root.length + 1)));
  }
  return { files: files.toSorted(), end };
}
