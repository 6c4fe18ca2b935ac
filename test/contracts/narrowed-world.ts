import type { MemoryHost } from "../../src/host/index.ts";
import { memoryHost } from "../../src/host/index.ts";
import type { Effect, Grant, Word } from "../../src/core/index.ts";

/** The world the tests of a narrowed host share. */
export function narrowedWorld(): MemoryHost {
  return memoryHost({
    files: {
      "a.txt": "alpha",
      "b.txt": "beta",
      "src/one.ts": "one",
      "src/two.ts": "two",
      "src/secret.ts": "hidden",
      "src/secrets/key.ts": "hidden",
      "/outside/x.txt": "x",
    },
    programs: {
      echo: (argv, io) => {
        io.stdout(argv.slice(1).join(" "));
        return 0;
      },
    },
    responses: {
      "https://example.com/": { body: "hello" },
      "https://example.com:8443/": { body: "hello" },
      "http://[::1]:3000/": { body: "hello" },
    },
  });
}

export const unknown: Effect = { kind: "unknown", because: "a test", origin: "test" };

export const execute = execution(["echo"]);

export function execution(argv: readonly Word[]): Effect {
  const span = { start: 0, end: 4 };
  return { kind: "execute", argv, assigns: [], via: [], consequences: "open", span };
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function grantOf(effects: readonly Effect[], hasRule = false): Grant {
  return {
    effects,
    exclusions: hasRule ? [{ root: "/", pattern: "*secret*", rule: "Read(*secret*)" }] : [],
    excludes: (path) => (hasRule && path.includes("secret") ? "Read(*secret*)" : undefined),
  };
}

export const read = (path: string, scope: "file" | "tree" = "file"): Effect => ({
  kind: "read",
  path,
  scope,
});
export const write = (
  path: string,
  change: "create" | "modify" | "delete" | "any" = "any",
  scope: "file" | "tree" = "file",
): Effect => ({ kind: "write", path, change, scope });

export async function drain<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
