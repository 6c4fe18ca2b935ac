import {
  ToolError,
  type CodeFinding,
  type CodePlace,
  type CodeSymbol,
  type FileReplacements,
  type LanguageServers,
} from "../core/index.ts";
import { visibleText } from "../text/index.ts";
import type { RequestWait } from "./lsp/connection.ts";
import { textOfFile } from "./lsp/documents.ts";
import type { LanguageServer, StartedServer } from "./lsp/language-server.ts";
import { problemsOf } from "./lsp/problems-of.ts";
import { hoverText, placesIn, replacementsIn, symbolsIn } from "./lsp/read-answers.ts";
import { timeLimit, within, type TimeLimit } from "./lsp/time-limit.ts";
import { uriOf } from "./lsp/uri.ts";
import type { CheckPrograms } from "./programs.ts";

/** Milliseconds of one question; a large project takes that long to load. */
const questionMs = 45_000;

/** Questions to the language servers of a kit. */
export function openLanguageServers(
  servers: readonly LanguageServer[],
  programs: CheckPrograms,
): LanguageServers {
  const { host } = programs;
  const serverFor = (path: string): LanguageServer => {
    const found = servers.find(({ config }) => config.knows(path));
    if (found !== undefined) return found;
    throw new ToolError("UNAVAILABLE", `No language server knows ${visibleText(path)}.`, {
      hint: `Use a file of ${servers.map(({ config }) => config.name).join(" or ")}, or Grep.`,
    });
  };
  /** Asks about a file, whose present text the server gets first. */
  const ask = async <T>(
    path: string,
    signal: AbortSignal,
    question: (server: StartedServer, limit: TimeLimit, name: string) => Promise<T>,
  ): Promise<T> => {
    const server = serverFor(path);
    const text = await textOfFile(host.fs, path);
    if (text === undefined) {
      throw new ToolError("NOT_FOUND", `${visibleText(path)} is not a text file of at most 1 MB.`, {
        hint: "Name a source file.",
      });
    }
    const limit = timeLimit(host.clock, questionMs, signal);
    return await server.use(limit, async (started) => {
      await started.documents.refresh(host.fs, new Set([path]));
      started.documents.set(path, text);
      return await within(question(started, limit, server.config.name), limit, host.clock);
    });
  };
  return {
    places: async (kind, at, signal) =>
      await ask(at.path, signal, async (server, limit) => {
        const context = kind === "references" ? { context: { includeDeclaration: true } } : {};
        const params = { ...placeOf(at), ...context };
        return placesIn(
          await server.connection.request(`textDocument/${kind}`, params, waitOf(limit)),
        );
      }),
    hover: async (at, signal) =>
      await ask(at.path, signal, async (server, limit) =>
        hoverText(
          await server.connection.request("textDocument/hover", placeOf(at), waitOf(limit)),
        ),
      ),
    symbols: async (path, signal) =>
      await ask(path, signal, async (server, limit) => {
        const params = { textDocument: { uri: uriOf(path) } };
        return symbolsIn(
          await server.connection.request("textDocument/documentSymbol", params, waitOf(limit)),
          path,
        );
      }),
    async search(query, signal) {
      const limit = timeLimit(host.clock, questionMs, signal);
      const found = await Promise.allSettled(
        servers.map(
          async (server): Promise<readonly CodeSymbol[]> =>
            await server.use(limit, async (started) => {
              const none = new Set<string>();
              await started.documents.refresh(host.fs, none);
              return symbolsIn(
                await started.connection.request("workspace/symbol", { query }, waitOf(limit)),
              );
            }),
        ),
      );
      const symbols = found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
      const failed = found.find((each) => each.status === "rejected");
      if (symbols.length === 0 && failed !== undefined) throw failed.reason;
      return symbols;
    },
    problems: async (path, signal): Promise<readonly CodeFinding[] | undefined> =>
      await ask(path, signal, async (server, limit, name) =>
        problemsOf(server, { name, path, limit, clock: host.clock }),
      ),
    rename: async (at, name, signal): Promise<readonly FileReplacements[]> =>
      await ask(at.path, signal, async (server, limit) => {
        const params = { ...placeOf(at), newName: name };
        return replacementsIn(
          await server.connection.request("textDocument/rename", params, waitOf(limit)),
        );
      }),
  };
}

function waitOf({ left, signal }: TimeLimit): RequestWait {
  return { ms: left(), signal };
}

function placeOf({ path, line, column }: CodePlace): object {
  return {
    textDocument: { uri: uriOf(path) },
    position: { line: line - 1, character: column - 1 },
  };
}
