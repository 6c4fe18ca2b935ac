import type { EditChecks, LanguageServers, ToolError } from "../core/index.ts";
import { Checker } from "./checkers/checker.ts";
import { editChecks } from "./edit-checks.ts";
import { openLanguageServers } from "./language-servers.ts";
import { knownServers } from "./lsp/known-servers.ts";
import { LanguageServer, type ServerLimits } from "./lsp/language-server.ts";
import type { CheckPrograms } from "./programs.ts";

export interface DiagnosticsOptions {
  readonly programs: CheckPrograms;
  readonly checkers: readonly {
    readonly name: string;
    readonly command: readonly string[];
    readonly files: readonly string[];
    readonly timeoutMs?: number;
    /** File of the workspace that names it; absent for one that needs no trust. */
    readonly file?: string;
  }[];
  readonly servers: Readonly<
    Record<
      string,
      {
        readonly command?: readonly string[];
        readonly files?: readonly string[];
        readonly file?: string;
      }
    >
  >;
  /** Returns whether a path of the workspace matches one of the patterns; throws for a pattern that is not valid. */
  readonly matcher: (patterns: readonly string[]) => (path: string) => boolean;
  readonly limits?: ServerLimits;
  /** Milliseconds that an edit waits. Default 2500. */
  readonly waitMs?: number;
}

/** State of a checker or server. */
export interface DiagnosticsState {
  readonly kind: "server" | "checker";
  readonly name: string;
  /** Program that it starts. */
  readonly program: string;
  readonly isRunning: boolean;
  /** Highest memory of a server that was seen, in bytes. */
  readonly peakBytes: number;
  readonly failure: ToolError | undefined;
  /** End of a failed server's standard error. */
  readonly log: string;
}

/** Checkers and language servers of a kit. */
export interface Diagnostics {
  readonly edits: EditChecks;
  /** Undefined where the settings name no server that can be used. */
  readonly servers: LanguageServers | undefined;
  states(): readonly DiagnosticsState[];
  /** Sentences about settings that cannot be used. */
  readonly problems: readonly string[];
  dispose(): Promise<void>;
}

/** Opens what the settings name; nothing is started before its first use. */
export function openDiagnostics(options: DiagnosticsOptions): Diagnostics {
  const { programs, matcher, limits, waitMs } = options;
  const problems: string[] = [];
  const matching = (name: string, patterns: readonly string[]) => {
    try {
      return matcher(patterns);
    } catch {
      problems.push(`The files of ${name} in the setting diagnostics are not valid patterns.`);
      return undefined;
    }
  };
  const servers = Object.entries(options.servers).flatMap(([name, given]) => {
    const known = knownServers.get(name);
    const command = given.command ?? known?.command ?? [];
    const files = given.files ?? known?.files ?? [];
    if (command.length === 0 || files.length === 0) {
      problems.push(`diagnostics.servers.${name} needs a command and files.`);
      return [];
    }
    const knows = matching(name, files);
    if (knows === undefined) return [];
    const config = { name, command, knows, options: known?.options ?? {}, file: given.file };
    return [new LanguageServer(config, programs, limits)];
  });
  const checkers = options.checkers.flatMap(({ name, command, files, timeoutMs, file }) => {
    const knows = command.length === 0 ? undefined : matching(name, files);
    return knows === undefined
      ? []
      : [new Checker({ name, command, knows, timeoutMs, file }, programs)];
  });
  return {
    edits: editChecks({ servers, checkers, programs, ...(waitMs === undefined ? {} : { waitMs }) }),
    servers: servers.length === 0 ? undefined : openLanguageServers(servers, programs),
    problems,
    states: () => [
      ...servers.map((server): DiagnosticsState => {
        const { config, isRunning, peakBytes, failure, log } = server;
        const { name, command } = config;
        const program = command[0] ?? name;
        return { kind: "server", name, program, isRunning, peakBytes, failure, log };
      }),
      ...checkers.map(({ config, failure }): DiagnosticsState => {
        return {
          kind: "checker",
          name: config.name,
          program: config.command[0] ?? config.name,
          isRunning: false,
          peakBytes: 0,
          failure,
          log: "",
        };
      }),
    ],
    dispose: async () => {
      await Promise.all(servers.map(async (server) => await server.dispose()));
    },
  };
}
