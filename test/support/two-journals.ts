import type { HostAppender, HostFs } from "../../src/core/index.ts";
import { memoryHost, type MemoryHost } from "../../src/host/index.ts";
import { createJournal, type Journal } from "../../src/journal/index.ts";

export const at = (name: string): string => `/project/${name}`;
export const a = at("a.txt");

export interface Pair {
  readonly host: MemoryHost;
  readonly one: Journal;
  readonly other: Journal;
  /** Call of the first journal that writes this text to the file. */
  readonly edit: (callId: string, path: string, text: string) => Promise<void>;
  /** Undo of the last call by the first journal, which stops before it changes `a.txt`. */
  readonly stopInUndo: () => Promise<{ readonly undone: Promise<unknown> }>;
  /** Called once when the other journal is about to write a line with this part. */
  readonly before: (part: string, act: () => Promise<unknown>) => void;
  /** Ends the process of the first journal, in the middle of whatever it does. */
  readonly endOne: () => void;
}

/** Two journals of live processes in one directory. With `letsGo`, a wait resumes the undo that stopped. */
export function pair({ letsGo = true } = {}): Pair {
  const host = memoryHost({
    files: { "a.txt": "0", "b.txt": "0", "c.txt": "0" },
    root: "/project",
  });
  const inMiddle = Promise.withResolvers<void>();
  const goingOn = Promise.withResolvers<void>();
  let isStopping = false;
  const gone = new Set<string>();
  let watched: { readonly part: string; readonly act: () => Promise<unknown> } | undefined;
  const fsWith = (own: Partial<HostFs>): HostFs =>
    new Proxy(host.fs, {
      get(target, key) {
        const method: unknown = Reflect.get(own, key) ?? Reflect.get(target, key);
        return typeof method === "function" ? method.bind(target) : method;
      },
    });
  const stopping = fsWith({
    async writeAtomic(path, data, options) {
      if (isStopping && path === a) {
        inMiddle.resolve();
        await goingOn.promise;
      }
      return host.fs.writeAtomic(path, data, options);
    },
  });
  const watching = fsWith({
    async appender(path): Promise<HostAppender> {
      const appender = await host.fs.appender?.(path);
      if (appender === undefined) throw new Error("The host in memory keeps files open.");
      return {
        close: () => appender.close(),
        append: async (data, options) => {
          const { act } = watched ?? {};
          if (act !== undefined && new TextDecoder().decode(data).includes(watched?.part ?? "")) {
            watched = undefined;
            await act();
          }
          await appender.append(data, options);
        },
      };
    },
  });
  let undone: Promise<unknown> = Promise.resolve();
  const clock = {
    now: () => host.clock.now(),
    sleep: async (): Promise<void> => {
      if (!letsGo) return;
      goingOn.resolve();
      await undone;
    },
  };
  const opened = (fs: HostFs, own: string): Journal =>
    createJournal({
      host: { fs, clock: host.clock },
      clock,
      directory: "/data/journal",
      processes: { own, isRunning: (name) => !gone.has(name) },
    });
  const one = opened(stopping, "1/a");
  return {
    host,
    one,
    other: opened(watching, "2/b"),
    async edit(callId, path, text) {
      const write = { kind: "write", path, scope: "file", change: "modify" } as const;
      await one.checkpoint(callId, [write], { tool: "Write" });
      await host.fs.writeAtomic(path, new TextEncoder().encode(text));
      await one.settle(callId);
    },
    async stopInUndo() {
      isStopping = true;
      undone = one.undo({ last: 1 });
      await inMiddle.promise;
      return { undone };
    },
    before: (part, act) => {
      watched = { part, act };
    },
    endOne: () => void gone.add("1/a"),
  };
}
