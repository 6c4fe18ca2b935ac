import { describe, expect, test, vi } from "vitest";
import { memoryHost } from "../../../host/index.ts";
import { filesOfProgram } from "./program-files.ts";
import { uncoveredParts } from "./uncovered-parts.ts";
import { recordTrust, reviewTrust } from "../change-trust.ts";
import { isTrusted } from "../trust.ts";

const workspace = "/project";

const files = {
  "scripts/check.sh": "",
  "scripts/deep/run": "",
  "tools/check": "",
  "tools/server.mjs": "",
  "tools/main/index.js": "",
  "my tools/a b.sh": "",
  "lib/one.py": "",
  __proto__file: "",
  constructor: "",
  "README.md": "",
  "run.log": "",
  "package.json": "",
  "index.js": "",
  "__main__.py": "",
};

const hook = (command: string) => ({
  hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] },
});

describe("files that a command may run", () => {
  test.each([
    ['cd "$CLAUDE_PROJECT_DIR/scripts" && ./check.sh', ["scripts/check.sh"]],
    ["cd scripts && cd deep && ./run", ["scripts/deep/run"]],
    ["(cd scripts/deep; ../check.sh)", ["scripts/check.sh"]],
    ["bash tools/check", ["tools/check"]],
    ["./constructor", ["constructor"]],
    ["bash -c 'cd scripts; ./check.sh'", ["scripts/check.sh"]],
    ['bash "my tools/a b.sh"', ["my tools/a b.sh"]],
    [String.raw`bash my\ tools/a\ b.sh`, ["my tools/a b.sh"]],
    ["node --no-warnings tools/server", ["tools/server.mjs"]],
    ["node tools/main", ["tools/main/index.js"]],
    ["node --import=./tools/server.mjs x", ["tools/server.mjs"]],
    ["PYTHONPATH=lib:other python3 one.py", ["lib/one.py"]],
    ["PYTHONPATH=. pytest", []],
    ["PYTHONPATH=. NODE_PATH=. PATH=.:$PATH python3 lib/one.py", ["lib/one.py"]],
    ["PATH=tools:$PATH check", ["tools/check"]],
    ["NODE_OPTIONS='--require ./tools/server' pytest", ["tools/server.mjs"]],
    ["python3 .", ["__main__.py"]],
    ["python3 tools/main", []],
    ["node .", ["index.js", "package.json"]],
    ["`tools/check README.md`", ["tools/check"]],
    ["cat README.md; tools/check --out=README.md run.log", ["tools/check"]],
    ["if true; then timeout 5 tools/check README.md; fi", ["tools/check"]],
    ["grep -r x . README.md", []],
    ["cat README.md | bash -s", ["README.md"]],
    ["cat README.md | bash tools/check", ["tools/check"]],
    ["chmod +x README.md && sudo -u me README.md", ["README.md"]],
    ["awk -v a=1 -f tools/check README.md", ["tools/check"]],
    [". README.md", ["README.md"]],
    ["bash -c 'cat README.md' run.log", []],
    ["node --no-warnings tools/server README.md", ["tools/server.mjs"]],
    ["python3 -u lib/one.py README.md", ["lib/one.py"]],
    ["bash -e tools/check README.md", ["tools/check"]],
    ["env LOG=README.md BASH_ENV=constructor tools/check", ["constructor", "tools/check"]],
    ["node --require ./tools/check tools/server", ["tools/check", "tools/server.mjs"]],
    ["node -r./tools/server tools/main", ["tools/server.mjs", "tools/main/index.js"]],
    ["${CLAUDE_PROJECT_DIR:-.}/tools/server.mjs", ["tools/server.mjs"]],
    ["node ${TOOLS:-tools}/server", ["tools/server.mjs"]],
    ["cd tools && node $PWD/server.mjs", ["tools/server.mjs"]],
    ["~/project/tools/check; ~/scripts/check.sh", ["tools/check", "scripts/check.sh"]],
    ["jq -r .tool_input.file_path", []],
    ["cat >> README.md; echo x 2>'my tools/a b.sh' | tee -a lib/one.py", []],
    ["cat > tools/check && bash tools/check", ["tools/check"]],
    ["bash -c 'date >> README.md'", []],
    ["./constructor run.log", ["constructor"]],
    ["sh run.log", ["run.log"]],
    ["../outside/x.sh /etc/passwd", []],
  ])("are the code that %s names", async (command, expected) => {
    const host = memoryHost({ root: workspace, files: { ...files, "/etc/passwd": "" } });

    expect(await filesOfProgram({ command }, { host, workspace })).toEqual(expected);
  });

  test("are found in the directory in which it starts, and in its environment", async () => {
    const host = memoryHost({ root: workspace, files });

    const found = await filesOfProgram(
      {
        command: ["sh", "check.sh"],
        cwd: "scripts",
        environment: ["--require ./tools/server.mjs"],
      },
      { host, workspace },
    );

    expect(found.toSorted()).toEqual(["scripts/check.sh", "tools/server.mjs"]);
  });

  test("are not the data that its environment and options name", async () => {
    const host = memoryHost({ root: workspace, files });
    const program = {
      command: ["node", "tools/server.mjs", "--db-path", "README.md", "run.log"],
      environment: ["MEMORY_FILE_PATH=README.md", "NODE_OPTIONS=--import ./scripts/deep/run"],
    };

    const found = await filesOfProgram(program, { host, workspace });

    expect(found).toEqual(["tools/server.mjs", "scripts/deep/run"]);
  });

  test("of later commands and an environment are found, however long the command is", async () => {
    const host = memoryHost({ root: workspace, files });
    const words = Array.from({ length: 300 }, (_each, at) => `w${at}`).join(" ");

    const found = await filesOfProgram(
      { command: `${words}; scripts/check.sh`, environment: ["BASH_ENV=tools/check"] },
      { host, workspace },
    );

    expect(found).toEqual(["scripts/check.sh", "tools/check"]);
  });

  test("are few, whatever the command is", async () => {
    const host = memoryHost({ root: workspace, files });
    const command = Array.from({ length: 10_000 }, (_each, at) => `w${at}`).join(" ");

    expect(await filesOfProgram({ command }, { host, workspace })).toEqual([]);
    expect(uncoveredParts({ command })).toEqual([
      expect.stringMatching(/^w0 w1 .{74}…$/u),
      "words after the first 200",
      "characters after the first 20000",
    ]);
  });

  test.each([
    ["an argument", "x".repeat(300_000)],
    ["calls of python", "python ".repeat(40_000)],
  ])("are found soon, however long %s is", (_what, command) => {
    const before = process.cpuUsage();

    expect(uncoveredParts({ command })).toContain("characters after the first 20000");
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  test("are each looked up once", async () => {
    const host = memoryHost({ root: workspace, files: { "tools/check": "" } });
    const stat = vi.spyOn(host.fs, "stat");

    await filesOfProgram({ command: "bash tools/check" }, { host, workspace });

    expect(stat.mock.calls).toHaveLength(new Set(stat.mock.calls.map(([path]) => path)).size);
  });

  describe("that name many directories", () => {
    const command = Array.from({ length: 190 }, (_each, at) => `d${at}`).join(" ");
    const deep = Object.fromEntries(
      command.split(" ").map((name) => [`${workspace}/${name}/a.txt`, ""]),
    );
    const many = () => {
      const host = memoryHost({
        root: workspace,
        files: { ...deep, ".haft/settings.json": JSON.stringify(hook(`node ${command}`)) },
      });
      const stat = vi.spyOn(host.fs, "stat");
      const options = { host, workspace, dataDirectory: "/home/user/data" };
      return { options, stats: () => stat.mock.calls.length };
    };

    test("are not looked up while the workspace is not trusted", async () => {
      const { options, stats } = many();

      expect(await isTrusted(options)).toMatchObject({ brings: [".haft/settings.json"] });
      expect(stats()).toBeLessThan(100);
    });

    test("are not trusted, and few of their paths are looked up", async () => {
      const { options, stats } = many();
      const { files: found } = await reviewTrust(options);

      expect([...found.values()]).toContain("too much");
      expect(stats()).toBeLessThan(25_000);
      await expect(recordTrust(options, found)).rejects.toMatchObject({ code: "TOO_LARGE" });
    });
  });
});

describe("trust ends when a file changes that is run by", () => {
  const server = { command: "node", args: ["tools/server.mjs"] };
  const agent =
    "---\nname: a\ndescription: d\nmcpServers:\n  - s:\n      command: node\n      args: [tools/server.mjs]\n---\n";
  test.each([
    ["a hook", ".haft/settings.json", JSON.stringify(hook("cd tools && node server.mjs"))],
    [
      "a hook with an escape",
      ".haft/settings.json",
      JSON.stringify(hook("node tools/server.mjs")).replaceAll("command", String.raw`c\u006fmmand`),
    ],
    ["a server of .mcp.json", ".mcp.json", JSON.stringify({ mcpServers: { s: server } })],
    [
      "a server of the settings",
      ".claude/settings.json",
      JSON.stringify({ mcpServers: { s: server } }),
    ],
    ["a direct server", ".haft/settings.json", JSON.stringify({ directMcpServers: { s: server } })],
    [
      "a server in a directory",
      ".mcp.json",
      JSON.stringify({ mcpServers: { s: { ...server, args: ["server.mjs"], cwd: "tools" } } }),
    ],
    ["a server of an agent", ".haft/agents/a.md", agent],
    [
      "a checker",
      ".haft/settings.json",
      JSON.stringify({
        diagnostics: {
          checkers: [{ name: "c", command: ["node", "tools/server.mjs"], files: ["*"] }],
        },
      }),
    ],
    [
      "a language server",
      ".haft/settings.json",
      JSON.stringify({
        diagnostics: { servers: { l: { command: ["tools/server.mjs"], files: ["*"] } } },
      }),
    ],
  ])("%s", async (_what, name, text) => {
    const host = memoryHost({ root: workspace, files: { ...files, [name]: text } });
    const options = { host, workspace, dataDirectory: "/home/user/data" };
    await recordTrust(options, (await reviewTrust(options)).files);
    expect((await isTrusted(options)).trusted).toBe(true);

    await host.fs.writeAtomic(`${workspace}/tools/server.mjs`, new TextEncoder().encode("new"));

    expect(await isTrusted(options)).toMatchObject({
      trusted: false,
      changed: ["tools/server.mjs"],
    });
  });
});
