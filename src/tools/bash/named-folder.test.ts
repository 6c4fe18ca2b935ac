import { expect, test } from "vitest";
import { ToolError, type Host } from "../../core/index.ts";
import { memoryHost, toolBench, type MemoryProgram } from "../../testing/index.ts";
import { bash } from "./bash.ts";

/** Shell that prints the directory in which it runs. */
const sayingWhere: MemoryProgram = (_, io) => {
  io.stdout(io.cwd);
  return 0;
};

test("a folder inside the workspace may be named, one outside never", async () => {
  const host = memoryHost({
    files: { "sub/a.txt": "", "/etc/passwd": "" },
    programs: { bash: sayingWhere },
  });
  host.control.plant("out", { kind: "symlink", target: "/etc" });
  const bench = toolBench({ host });

  for (const key of ["cwd", "working_directory"]) {
    const result = await bench.call(bash, { command: "pwd", [key]: "sub" });
    expect(result.text).toBe("/project/sub");
  }
  for (const cwd of ["/etc", "..", "out", "/projectile"]) {
    await expect(bench.call(bash, { command: "pwd", cwd })).rejects.toMatchObject({
      code: "OUTSIDE_WORKSPACE",
      hint: "Leave cwd out, or name a directory inside the workspace.",
    });
  }
  await expect(bench.call(bash, { command: "pwd", cwd: "subb" })).rejects.toMatchObject({
    code: "NOT_FOUND",
    hint: "Did you mean sub?",
  });
  await expect(bench.call(bash, { command: "pwd", cwd: "sub/a.txt" })).rejects.toMatchObject({
    code: "NOT_A_DIRECTORY",
    hint: "Give the directory to run the command in as cwd.",
  });
});

function withCanonical(fs: Host["fs"], canonical: Host["fs"]["canonical"]): Host["fs"] {
  return new Proxy(fs, {
    get(target, key) {
      if (key === "canonical") return canonical;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test.each([1, 2, 3, 4, 5])(
  "a named folder that changes after %i looks is never where a command runs that was judged elsewhere",
  async (looks) => {
    const host = memoryHost({
      programs: { bash: sayingWhere },
      files: { "one/a": "1", "two/a": "2" },
    });
    host.control.plant("/project/link", { kind: "symlink", target: "/project/one" });
    let count = 0;
    const { fs } = host;
    const canonical: typeof fs.canonical = async (given, options) => {
      const found = await fs.canonical(given, options);
      if (given === "link") count += 1;
      if (given === "link" && count === looks) {
        host.control.plant("/project/link", { kind: "symlink", target: "/project/two" });
      }
      return found;
    };
    const moving: Host = {
      id: host.id,
      info: host.info,
      fs: withCanonical(fs, canonical),
      proc: host.proc,
      net: host.net,
      search: host.search,
      clock: host.clock,
      [Symbol.asyncDispose]: async () => await host[Symbol.asyncDispose](),
    };

    const call = toolBench({ host: moving }).call(bash, { command: "rm a; x", cwd: "link" });

    const outcome = await call.then(
      ({ text, effects }) => effects.some((each) => "path" in each && each.path === `${text}/a`),
      (error: unknown) => error,
    );
    expect(outcome === true || ToolError.is(outcome)).toBe(true);
  },
);
