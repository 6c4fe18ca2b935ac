import type { MemoryProgram } from "../../../src/host/index.ts";

/** Scripted twins of the programs the contract starts, for hosts without real ones. */
export const contractPrograms: Readonly<Record<string, MemoryProgram>> = {
  echo: (argv, io) => {
    io.stdout(`${argv.slice(1).join(" ")}\n`);
    return 0;
  },
  false: () => 1,
  pwd: (_argv, io) => {
    io.stdout(`${io.cwd}\n`);
    return 0;
  },
  printenv: (argv, io) => {
    io.stdout(`${io.env[argv[1] ?? ""] ?? ""}\n`);
    return 0;
  },
  cat: async (_argv, io) => {
    for await (const bytes of io.stdin) io.stdout(bytes);
    return 0;
  },
  sleep: async (_argv, io) => {
    await new Promise<void>((resolve) => {
      io.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    return 0;
  },
  ls: (_argv, io) => {
    io.stderr("ls: no such file\n");
    return 2;
  },
  yes: async (_argv, io) => {
    while (!io.signal.aborted) {
      io.stdout("y\n".repeat(4096));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    return 0;
  },
};
