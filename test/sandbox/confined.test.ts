import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { inferRefusedActions, protectedPathsChangedSince } from "../../src/sandbox/index.ts";
import { confinedWorld, git, source } from "./confined-world.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { moduleFlags } from "../support/from-source.ts";

leaveNothing();

const { at, isMissing, policyOf, shell, working } = await confinedWorld();
const isLinux = process.platform === "linux";

const commits = "git -c user.name=a -c user.email=a@localhost commit -q --allow-empty -m inside";

describe.each(["bwrap", "landlock"] as const)("%s", (name) => {
  test.skipIf(isMissing(name))("takes every privilege", async () => {
    const { stdout } = await shell(
      name,
      "grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status",
    );

    expect(stdout.replaceAll(/\s+/gu, " ")).toBe(
      "CapEff: 0000000000000000 NoNewPrivs: 1 Seccomp: 2 ",
    );
  });

  test.skipIf(isMissing(name))("passes on the exit code and what was printed", async () => {
    expect(await shell(name, "echo out; echo err >&2; exit 7")).toEqual({
      code: 7,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  test.skipIf(isMissing(name))(
    "starts in the workspace, with the listed variables alone",
    async () => {
      const { stdout } = await shell(
        name,
        "pwd; env | grep -v -E '^(PWD|OLDPWD|SHLVL|_)=' | cut -d= -f1 | sort",
      );

      expect(stdout.trim().split("\n")).toEqual([
        at("workspace"),
        "HOME",
        "PATH",
        "TEMP",
        "TMP",
        "TMPDIR",
      ]);
    },
  );

  test.skipIf(isMissing(name))("lets git commit", async () => {
    git("init", "-q", at("workspace"));

    const { code, stderr } = await shell(name, commits);

    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(git("-C", at("workspace"), "log", "--format=%s")).toBe("inside\n");
  });

  test.skipIf(isMissing(name))("lets git commit in a worktree", async () => {
    git("init", "-q", at("main"));
    git("-C", at("main"), "commit", "-q", "--allow-empty", "-m", "first");
    rmSync(at("workspace"), { recursive: true });
    git("-C", at("main"), "worktree", "add", "-q", "-b", "other", at("workspace"));

    const { code, stderr } = await shell(name, commits);

    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(git("-C", at("main"), "log", "--format=%s", "other")).toBe("inside\nfirst\n");
  });

  test.skipIf(isMissing(name))("holds a command to its limits", async () => {
    const { code } = await shell(name, "head -c 2000000 /dev/zero > big", {
      limits: { fileBytes: 1_000_000 },
    });

    expect(code).not.toBe(0);
    expect(readFileSync(at("workspace/big")).length).toBeLessThanOrEqual(1_000_000);
  });

  test.skipIf(isMissing(name))(
    "explains a refused write, and a grant for it alone makes the same command work",
    async () => {
      mkdirSync(at("more"));
      const script = `echo x > '${at("more/file")}'`;
      const policy = await policyOf();

      const refused = await shell(name, script);
      const [denial] = inferRefusedActions(refused, policy);

      expect(denial).toMatchObject({ kind: "write", path: at("more/file") });
      expect((await shell(name, script, { granted: [at("more")] })).code).toBe(0);
      expect(readFileSync(at("more/file"), "utf8")).toBe("x\n");
    },
  );

  test.skipIf(isMissing(name))("finds what was planted under a protected name", async () => {
    const policy = await policyOf();
    await shell(name, "echo '{}' > .mcp.json");

    expect(await protectedPathsChangedSince(policy)).toEqual([at("workspace/.mcp.json")]);
  });

  test.skipIf(isMissing(name))("hands no open file on", async () => {
    writeFileSync(at("home/open"), "handed on");
    const held = openSync(at("home/open"), "r");
    const program = `
      import { drivers, runConfined } from ${JSON.stringify(path.join(source, "index.ts"))};
      const driver = drivers.find(({ name }) => name === ${JSON.stringify(name)});
      const sandbox = await driver.prepare(${JSON.stringify(await policyOf())});
      const { stdout } = await runConfined(sandbox.wrap(["/usr/bin/perl", "-e", 'open(my $f, "<&=", 40) and print <$f>; print "."']));
      await sandbox.dispose();
      process.stdout.write(stdout);`;
    const stdio = [
      "ignore",
      "pipe",
      "inherit",
      ...Array.from({ length: 37 }, () => "ignore" as const),
      held,
    ] as const;
    const child = spawn(process.execPath, [...moduleFlags, program], { stdio: [...stdio] });
    closeSync(held);
    let printed = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
    });
    await once(child, "close");

    expect(printed).toBe(".");
  });
});

test.skipIf(!isLinux || process.getuid?.() !== 0 || !existsSync("/usr/bin/setpriv"))(
  "an ordinary user is held as root is",
  async () => {
    const program = `
      import { drivers, probeDriver } from ${JSON.stringify(path.join(source, "index.ts"))};
      const found = {};
      for (const driver of drivers.slice(0, 3)) {
        const { works, missing, probes } = await probeDriver(driver);
        found[driver.name] = works || missing || probes.filter(({ expected, got }) => expected !== got);
      }
      process.stdout.write(JSON.stringify(found));`;
    const words = [
      "--reuid=65534",
      "--regid=65534",
      "--clear-groups",
      "env",
      "HOME=/nonexistent",
      process.execPath,
    ];
    const child = spawn("/usr/bin/setpriv", [...words, ...moduleFlags, program], {
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
    });
    await once(child, "close");
    const expected = Object.fromEntries(
      [...working].slice(0, 3).map(([name, driver]) => [name, driver !== undefined]),
    );

    expect(JSON.parse(printed)).toEqual(expected);
  },
);
