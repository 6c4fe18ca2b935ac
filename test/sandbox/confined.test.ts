import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  denialsOf,
  drivers,
  plantedSince,
  probeDriver,
  runConfined,
  sandboxPolicy,
  type DriverName,
  type RunResult,
  type SandboxPolicyOptions,
} from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const working = new Map(
  await Promise.all(
    drivers.map(
      async (driver) =>
        [driver.name, (await probeDriver(driver)).works ? driver : undefined] as const,
    ),
  ),
);
const isMissing = (name: DriverName) => working.get(name) === undefined;
const isLinux = process.platform === "linux";
const source = realpathSync(path.join(import.meta.dirname, "../../src/sandbox"));

let base = "";
let before: readonly string[] = [];
const at = (name: string) => path.join(base, name);
/** Of this program: others may be confining something at the same time. */
const leftovers = () => {
  const common = path.join(tmpdir(), `haft-sandboxes-${process.getuid?.() ?? 0}`);
  return [tmpdir(), common]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .filter((name) => name.startsWith("haft-") && name.includes(`-${process.pid}-`));
};

beforeEach(() => {
  before = leftovers();
  base = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-confined-"));
  for (const name of ["home/.ssh", "temporary", "workspace"])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at("home/.ssh/key"), "secret");
});
afterEach(() => {
  rmSync(base, { recursive: true });
  const left = leftovers().filter((name) => !before.includes(name));
  if (left.length > 0) throw new Error(`Left behind: ${left.join(", ")}`);
});

async function policyOf(options: Partial<SandboxPolicyOptions> = {}) {
  return await sandboxPolicy({
    workspace: at("workspace"),
    home: at("home"),
    temporary: at("temporary"),
    variables: { PATH: process.env["PATH"], HOME: at("home") },
    ...options,
  });
}

async function shell(
  name: DriverName,
  script: string,
  options: Partial<SandboxPolicyOptions> = {},
): Promise<RunResult> {
  const driver = working.get(name);
  if (driver === undefined) throw new Error(`${name} does not work here.`);
  const sandbox = await driver.prepare(await policyOf(options));
  try {
    return await runConfined(sandbox.wrap(["/bin/sh", "-c", script]), { timeoutMs: 15_000 });
  } finally {
    await sandbox.dispose();
  }
}

function git(...words: readonly string[]): string {
  const own = [
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@localhost",
    "-c",
    "init.defaultBranch=main",
  ];
  return execFileSync("git", [...own, ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

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
      const [denial] = denialsOf(refused, policy);

      expect(denial).toMatchObject({ kind: "write", path: at("more/file") });
      expect((await shell(name, script, { granted: [at("more")] })).code).toBe(0);
      expect(readFileSync(at("more/file"), "utf8")).toBe("x\n");
    },
  );

  test.skipIf(isMissing(name))("finds what was planted under a protected name", async () => {
    const policy = await policyOf();
    await shell(name, "echo '{}' > .mcp.json");

    expect(await plantedSince(policy)).toEqual([at("workspace/.mcp.json")]);
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
    const child = spawn(
      process.execPath,
      ["--no-warnings", "--experimental-strip-types", "--input-type=module", "-e", program],
      { stdio: [...stdio] },
    );
    closeSync(held);
    let printed = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
    });
    await once(child, "close");

    expect(printed).toBe(".");
  });
});

describe("bwrap", () => {
  test.skipIf(isMissing("bwrap"))("refuses git's settings and keeps them", async () => {
    git("init", "-q", at("workspace"));

    const { code } = await shell("bwrap", "git config core.fsmonitor ./evil");

    expect(code).not.toBe(0);
    expect(readFileSync(at("workspace/.git/config"), "utf8")).not.toContain("evil");
  });

  test.skipIf(isMissing("bwrap"))(
    "shows a hidden directory empty, and a write into it fails",
    async () => {
      const { stdout, code } = await shell(
        "bwrap",
        `ls -A '${at("home/.ssh")}'; echo x > '${at("home/.ssh/new")}'`,
      );

      expect(stdout).toBe("");
      expect(code).not.toBe(0);
    },
  );

  test.skipIf(isMissing("bwrap"))("narrows reading to what is listed", async () => {
    writeFileSync(at("home/notes"), "private");
    const options = { readable: [path.dirname(process.execPath)] };

    const { code, stdout } = await shell(
      "bwrap",
      `cat '${at("home/notes")}' || echo kept`,
      options,
    );

    expect(code).toBe(0);
    expect(stdout).toBe("kept\n");
  });

  test.skipIf(isMissing("bwrap"))("keeps nothing running", async () => {
    const mark = path.basename(base);
    await shell("bwrap", `setsid sh -c 'sleep 30; : ${mark}' &`);

    const commands = readdirSync("/proc").flatMap((name) => {
      const file = `/proc/${name}/cmdline`;
      return /^\d+$/u.test(name) && existsSync(file) ? [quietRead(file)] : [];
    });
    expect(commands.filter((command) => command.includes(mark))).toEqual([]);
  });

  test.skipIf(isMissing("bwrap"))("reaches listed hosts and no other", async () => {
    const server = createServer((_request, response) => response.end("reached"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const driver = working.get("bwrap");
    const network = { kind: "hosts", hosts: [`localhost:${port}`] } as const;
    const sandbox = await driver?.prepare(await policyOf({ network }));
    const script = `
      const http = require("node:http");
      const proxy = new URL(process.env.http_proxy);
      const ask = (target, host) => new Promise((done) => {
        http.get({ host: proxy.hostname, port: proxy.port, path: target, headers: { host } }, (response) => {
          let text = "";
          response.on("data", (chunk) => (text += chunk)).on("end", () => done(response.statusCode + " " + text.trim()));
        }).on("error", (error) => done(error.code));
      });
      const tunnel = (authority) => new Promise((done) => {
        http.request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path: authority })
          .on("connect", (response, socket) => { socket.destroy(); done(response.statusCode); })
          .on("error", (error) => done(error.code)).end();
      });
      const direct = () => new Promise((done) => http.get("http://127.0.0.1:${port}/").on("response", () => done("open")).on("error", () => done("closed")));
      (async () => {
        console.log(await ask("http://localhost:${port}/", "localhost"));
        console.log(await ask("http://127.0.0.1:${port}/", "127.0.0.1"));
        console.log(await tunnel("localhost:${port}"), await tunnel("example.org:443"));
        console.log(await direct());
        process.exit(3);
      })();`;

    const { stdout, code } =
      sandbox === undefined
        ? { stdout: "", code: 0 }
        : await runConfined(sandbox.wrap([process.execPath, "-e", script]), { timeoutMs: 15_000 });
    const refused = sandbox?.takeRefusals?.();
    await sandbox?.dispose();
    server.close();

    expect(stdout.trim().split("\n")).toEqual([
      "200 reached",
      `403 haft: 127.0.0.1:${port} is not a listed host.`,
      "200 403",
      "closed",
    ]);
    expect(code).toBe(3);
    expect(refused?.map(({ host }) => host)).toEqual(["127.0.0.1", "example.org"]);
  });

  test.skipIf(isMissing("bwrap") || isMissing("landlock"))(
    "holds Landlock inside itself, and no second bwrap",
    async () => {
      const program = `
        import { drivers, probeDriver } from ${JSON.stringify(path.join(source, "index.ts"))};
        for (const driver of drivers.slice(0, 2)) console.log(driver.name, (await probeDriver(driver)).works);`;
      writeFileSync(at("workspace/probe.mjs"), program);
      const words = [process.execPath, "--no-warnings", "--experimental-strip-types", "probe.mjs"];

      const { stdout } = await shell("bwrap", words.join(" "));

      expect(stdout).toBe("bwrap false\nlandlock true\n");
    },
  );
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
    const child = spawn(
      "/usr/bin/setpriv",
      [
        ...words,
        "--no-warnings",
        "--experimental-strip-types",
        "--input-type=module",
        "-e",
        program,
      ],
      { cwd: "/", stdio: ["ignore", "pipe", "pipe"] },
    );
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

function quietRead(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
