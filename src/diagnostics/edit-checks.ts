import type { BegunEdit, CodeFinding, EditChecks, EditFindings } from "../core/index.ts";
import type { Checker } from "./checkers/checker.ts";
import { newFindings } from "./findings/new-findings.ts";
import { textOfFile } from "./lsp/documents.ts";
import type { LanguageServer, StartedServer } from "./lsp/language-server.ts";
import { problemsOf } from "./lsp/problems-of.ts";
import { timeLimit, within, type TimeLimit } from "./lsp/time-limit.ts";
import { uriOf } from "./lsp/uri.ts";
import type { CheckPrograms } from "./programs.ts";
import { pathBelow, visibleText } from "../text/index.ts";

/** Maximum number of problems that a model sees after an edit, and of characters of each. */
const maxLines = 10;
const maxChars = 300;

/** Lines for the model, errors first; undefined where there are none. */
function describeFindings(
  found: readonly CodeFinding[],
  workspace: string,
): EditFindings | undefined {
  if (found.length === 0) return undefined;
  const findings = [...found].toSorted(
    (one, other) => Number(one.severity === "warning") - Number(other.severity === "warning"),
  );
  const lines = findings.slice(0, maxLines).map((each) => `- ${lineOf(each, workspace)}`);
  const more = findings.length - lines.length;
  const rest = more > 0 ? [`(${more} more)`] : [];
  return { text: ["New since this edit:", ...lines, ...rest].join("\n"), findings };
}

/** One problem in a line. */
function lineOf(finding: CodeFinding, workspace: string): string {
  const { path, line, column, severity, message, code, source } = finding;
  const shown = visibleText(pathBelow(workspace, path) ?? path);
  const kind = code === undefined ? severity : `${severity} ${code}`;
  return `${shown}:${line}:${column} ${kind}: ${message} (${source})`.slice(0, maxChars);
}

/** Milliseconds that an edit waits for all checks together: with what starts and ends the wait, at most 3 seconds. */
export const editWaitMs = 2500;
/** Maximum number of files of one edit that are checked. */
const maxFiles = 10;

export interface EditChecksParts {
  readonly servers: readonly LanguageServer[];
  readonly checkers: readonly Checker[];
  readonly programs: CheckPrograms;
  /** Milliseconds that an edit waits. Default 2500. */
  readonly waitMs?: number;
}

/** A file before and after the edit. */
interface EditedFile {
  readonly path: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

type Found = ReadonlyMap<string, readonly CodeFinding[]>;

/** Checks the files of an edit before and after it, and reports what is new. What is not certain is not reported. */
export function editChecks(parts: EditChecksParts): EditChecks {
  const { servers, checkers, programs, waitMs = editWaitMs } = parts;
  const { host, workspace } = programs;
  const knows = (path: string): boolean =>
    [...servers, ...checkers].some(({ config }) => config.knows(path));
  return {
    begin(paths, signal) {
      const checked = paths.filter(knows);
      if (checked.length === 0 || checked.length > maxFiles) return undefined;
      for (const server of servers) if (checked.some(server.config.knows)) server.warm();
      return begin(checked, signal);
    },
  };

  async function begin(
    paths: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<BegunEdit | undefined> {
    const startedAt = host.clock.now();
    const limit = timeLimit(host.clock, waitMs, signal);
    const [texts, earlier] = await Promise.all([
      Promise.all(paths.map(async (path) => [path, await textOfFile(host.fs, path)] as const)),
      // A program reads the files themselves, so it must see them before the edit.
      Promise.all(checkers.map(async (each) => await runOn(each, paths, limit))),
    ]);
    const before = new Map(texts);
    const spentMs = host.clock.now() - startedAt;
    return {
      end: async (ending) =>
        await end(before, earlier, timeLimit(host.clock, waitMs - spentMs, ending)),
    };
  }

  async function runOn(
    checker: Checker,
    paths: readonly string[],
    limit: TimeLimit,
  ): Promise<readonly CodeFinding[] | undefined> {
    const existing: string[] = [];
    for (const path of paths.filter(checker.config.knows)) {
      if ((await textOfFile(host.fs, path)) !== undefined) existing.push(path);
    }
    return existing.length === 0
      ? []
      : await within(checker.run(existing, limit), limit, host.clock).catch(() => undefined);
  }

  async function end(
    before: ReadonlyMap<string, string | undefined>,
    earlier: readonly (readonly CodeFinding[] | undefined)[],
    limit: TimeLimit,
  ): Promise<EditFindings | undefined> {
    const files: EditedFile[] = [];
    for (const [path, text] of before) {
      const after = await textOfFile(host.fs, path);
      if (after !== undefined && after !== text) files.push({ path, before: text, after });
    }
    if (files.length === 0 || isAborted(limit)) return undefined;
    const fromServers = servers.map(async (server) => {
      const mine = files.filter(({ path }) => server.config.knows(path));
      return mine.length === 0 ? [] : await comparedBy(server, mine, limit);
    });
    const fromCheckers = checkers.map(async (checker, index) => {
      const mine = files.filter(({ path }) => checker.config.knows(path));
      const old = earlier[index];
      if (mine.length === 0 || old === undefined) return [];
      const now = await runOn(
        checker,
        mine.map(({ path }) => path),
        limit,
      );
      return now === undefined ? [] : newOf(mine, byPath(old), byPath(now));
    });
    const settled = await Promise.allSettled([...fromServers, ...fromCheckers]);
    const found = settled.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    if (found.length === 0 || isAborted(limit)) return undefined;
    // Another program may have changed a file while it was checked.
    const isCurrent = new Set<string>();
    for (const { path, after } of files) {
      if ((await textOfFile(host.fs, path)) === after) isCurrent.add(path);
    }
    return describeFindings(
      found.filter(({ path }) => isCurrent.has(path)),
      workspace,
    );
  }

  async function comparedBy(
    server: LanguageServer,
    files: readonly EditedFile[],
    limit: TimeLimit,
  ): Promise<readonly CodeFinding[]> {
    return await server.use(limit, async (started) => {
      const { name } = server.config;
      const ask = async (path: string) =>
        await within(
          problemsOf(started, { name, path, limit, clock: host.clock }),
          limit,
          host.clock,
        );
      const old = new Map<string, readonly CodeFinding[]>();
      try {
        await started.documents.refresh(host.fs, new Set(files.map(({ path }) => path)));
        for (const { path, before } of files) {
          if (before !== undefined) started.documents.set(path, before);
        }
        for (const { path, before } of files) {
          const found = before === undefined ? [] : await ask(path);
          if (found !== undefined) old.set(path, found);
        }
      } finally {
        // Whatever happens, the server must not continue with texts of the past.
        giveTexts(started, files);
      }
      const now = new Map<string, readonly CodeFinding[]>();
      for (const { path } of files) {
        const found = old.has(path) ? await ask(path) : undefined;
        if (found !== undefined) now.set(path, found);
      }
      return newOf(files, old, now);
    });
  }
}

function isAborted({ signal }: TimeLimit): boolean {
  return signal?.aborted === true;
}

function giveTexts({ documents, connection }: StartedServer, files: readonly EditedFile[]): void {
  for (const { path, after } of files) documents.set(path, after);
  connection.notify("workspace/didChangeWatchedFiles", {
    changes: files.map(({ path, before }) => ({
      uri: uriOf(path),
      type: before === undefined ? created : changed,
    })),
  });
}

/** Kinds of changes in the protocol. */
const created = 1;
const changed = 2;

function newOf(files: readonly EditedFile[], old: Found, now: Found): readonly CodeFinding[] {
  return files.flatMap(({ path, before = "", after }) => {
    const earlier = old.get(path);
    const found = now.get(path);
    // Files that a program found nothing in are not in its answer.
    if (found === undefined) return [];
    return newFindings({ before, after, found: { before: earlier ?? [], after: found } });
  });
}

function byPath(findings: readonly CodeFinding[]): Found {
  return Map.groupBy(findings, ({ path }) => path);
}
