import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, test, vi } from "vitest";
import { type HaftEvent, type Kit, type Outcome } from "../../src/index.ts";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { bash, kitFolder } from "../support/kit-folder.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const [bwrap] = drivers;
const tried = bwrap === undefined ? undefined : await probeDriver(bwrap);
const reason = tried?.works === true ? undefined : JSON.stringify(tried?.missing ?? tried?.probes);

const { at, open } = kitFolder("haft-confined-", (place) => {
  mkdirSync(place("work/secrets"), { recursive: true });
  mkdirSync(place("outside"));
});

/** A command whose text says nothing of what it does. */
async function script(kit: Kit, text: string, more: object = {}): Promise<Outcome> {
  writeFileSync(at("work/script.sh"), text);
  return await bash(kit, "sh script.sh", more);
}

/** Processes of this machine whose arguments hold a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/u.test(name) || name === String(process.pid)) return false;
    try {
      return (
        readFileSync(`/proc/${name}/cmdline`, "latin1").includes(text) &&
        !/\) [ZX] /u.test(readFileSync(`/proc/${name}/stat`, "latin1"))
      );
    } catch {
      return false;
    }
  });
}

test("bubblewrap confines on this machine, so that the tests below run", () => {
  expect(reason).toBeUndefined();
});

/** Directories of this program among the system's temporary ones. */
function temporaryOnes(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`));
}

describe.skipIf(reason !== undefined)("in bubblewrap", () => {
  test("naming a place that cannot be opened takes no program out of the sandbox", async () => {
    const kit = await open();

    writeFileSync(at("work/any.sh"), `echo x > ${at("outside/made")}`);
    const command = "echo x > /haft-test-not-made; sh any.sh";
    const { status, metadata, text } = await bash(kit, command);

    expect(metadata["sandbox"]).toMatchObject({ provider: "bwrap" });
    expect(text).toContain("haft-test-not-made: Read-only file system");
    expect([status, existsSync("/haft-test-not-made")]).toEqual(["failed", false]);
    expect(existsSync(at("outside/made"))).toBe(false);
  });

  test("a command that was allowed still writes nowhere but where it works", async () => {
    const kit = await open();

    const outcome = await script(kit, `echo in > made; echo out > ${at("outside/made")}`);

    expect(outcome.status).toBe("failed");
    expect(readFileSync(at("work/made"), "utf8")).toBe("in\n");
    expect(existsSync(at("outside/made"))).toBe(false);
    expect(outcome.text).toContain(
      `(The sandbox kept ${at("outside/made")} from being changed. If that is meant to be, name the path in the command, so that the user is asked, or ask them for the rule Edit(/${at("outside/made")}).)`,
    );
    expect(outcome.metadata["sandbox"]).toMatchObject({
      denials: [{ kind: "write", path: at("outside/made") }],
    });
  });

  test("the outcome and its event say what held", async () => {
    const events: HaftEvent[] = [];
    const kit = await open({ onEvent: (event) => events.push(event) });

    const { metadata } = await bash(kit, "echo hello");
    const ended = events.find((event) => event.type === "call-end");

    expect(metadata["sandbox"]).toMatchObject({
      provider: "bwrap",
      version: expect.any(String),
      filesystem: "enforced",
      network: "granted",
      ipc: "enforced",
      process: "partial",
      undo: "none",
      gaps: expect.arrayContaining(["background", "missing-protected"]),
    });
    expect(ended).toMatchObject({ outcome: { metadata: { sandbox: { provider: "bwrap" } } } });
  });

  test("a call that starts nothing has nothing to say of it, and makes nothing", async () => {
    const kit = await open();

    const { metadata } = await kit.call({ name: "Glob", input: { pattern: "*" } });

    expect(metadata).not.toHaveProperty("sandbox");
    expect(existsSync(at("data/sandbox.json"))).toBe(false);
  });

  test.for([
    { rule: "Read(secrets/**)", named: "a tree" },
    { rule: "Read(./secrets/key)", named: "a file" },
    { rule: "Read(**/*.pem)", named: "a pattern" },
    { rule: "Read(key)", named: "a name at any depth" },
  ])("what a rule denies no script reads: $named", async ({ rule }) => {
    writeFileSync(at("work/secrets/key"), "canary");
    writeFileSync(at("work/secrets/a.pem"), "canary");
    writeFileSync(at("work/open"), "to be seen");
    const file = rule.includes("pem") ? "secrets/a.pem" : "secrets/key";
    const kit = await open({ rules: { deny: [rule] } });

    const outcome = await script(kit, `cat open; cat ${file}`);

    expect(outcome.text).toContain("to be seen");
    expect(outcome.text).not.toContain("canary");
    expect(outcome.status).toBe("failed");
  });

  test("what a rule protects no script changes", async () => {
    writeFileSync(at("work/kept.json"), "kept");
    const kit = await open({ rules: { deny: ["Edit(kept.json)"] } });

    const { text } = await script(kit, "echo x > kept.json; rm -f kept.json; mv kept.json other");

    expect(readFileSync(at("work/kept.json"), "utf8")).toBe("kept");
    expect(text).toContain("kept.json");
  });

  test("a rule opens a folder outside for every command", async () => {
    const kit = await open({ rules: { allow: [`Edit(/${at("outside")}/**)`] } });

    const outcome = await script(kit, `echo out > ${at("outside/made")}`);

    expect([outcome.status, readFileSync(at("outside/made"), "utf8")]).toEqual(["ok", "out\n"]);
  });

  test("a rule of a workspace that nobody trusts opens nothing, and shows no secret", async () => {
    vi.stubEnv("HOME", at("home"));
    mkdirSync(at("home/.ssh"), { recursive: true });
    writeFileSync(at("home/.ssh/id_test"), "secret");
    mkdirSync(at("work/.haft"));
    const allow = [`Edit(/${at("outside")}/**)`, `Read(/${at("home/.ssh")}/**)`];
    writeFileSync(at("work/.haft/settings.json"), JSON.stringify({ permissions: { allow } }));
    const kit = await open({ settings: "load" });

    const wrote = await script(kit, `echo out > ${at("outside/made")}`);
    const read = await script(kit, `cat ${at("home/.ssh/id_test")}`);

    expect([wrote.status, existsSync(at("outside/made"))]).toEqual(["failed", false]);
    expect(read.text).not.toContain("secret\n");
  });

  test("a path a command names is open to that command and to no other", async () => {
    writeFileSync(at("outside/there"), "old");
    const kit = await open();

    const named = await bash(kit, `echo new > ${at("outside/there")}; sh -c 'true'`);
    const other = await script(kit, `echo newer > ${at("outside/there")}`);

    expect([named.status, other.status]).toEqual(["ok", "failed"]);
    expect(readFileSync(at("outside/there"), "utf8")).toBe("new\n");
  });

  test("git works, and what makes it run something stays as it was", async () => {
    const kit = await open();
    const git = "git -c user.name=a -c user.email=a@b.c";
    const outcomes = [
      await bash(kit, "git init -q ."),
      await bash(kit, `echo x > a; git add a; ${git} commit -qm one; git log --format=%s`),
      await bash(kit, "git checkout -q -b other; git config core.abbrev 12"),
      await script(kit, "echo exit 0 > .git/hooks/pre-commit"),
      await script(kit, "echo '[core] pager = evil' >> .git/config"),
      await script(kit, "mv .git moved"),
    ];

    expect(outcomes.map(({ status }) => status)).toEqual([
      "ok",
      "ok",
      "ok",
      "failed",
      "failed",
      "failed",
    ]);
    expect(outcomes[1]?.text).toBe("one");
    expect(existsSync(at("work/.git/hooks/pre-commit"))).toBe(false);
    expect(readFileSync(at("work/.git/config"), "utf8")).toContain("abbrev = 12");
    expect(readFileSync(at("work/.git/config"), "utf8")).not.toContain("evil");
  });

  test("git moves a submodule, whose settings no script changes", async () => {
    const kit = await open();
    const git = "git -c user.name=a -c user.email=a@b.c -c protocol.file.allow=always";
    await bash(
      kit,
      `git init -q .; git init -q inner; ${git} -C inner commit -q --allow-empty -m one`,
    );
    await bash(kit, `${git} submodule --quiet add ./inner lib; ${git} commit -qm two`);

    const planted = await script(kit, "echo '[core] pager = evil' >> .git/modules/lib/config");
    const moved = await bash(kit, "git mv lib moved && git submodule status");

    expect(planted.status).toBe("failed");
    expect(moved.text).toMatch(/ moved /u);
    expect(readFileSync(at("work/.git/modules/lib/config"), "utf8")).toContain("../../../moved");
  });

  test("a unix socket is refused, and the report says what helps", async () => {
    const kit = await open();

    const outcome = await script(
      kit,
      'node -e \'require("net").createServer().listen("own.sock")\'',
    );

    expect(outcome.text).toContain(
      `(Exit code 1.)\n(The sandbox refused a unix socket at ${at("work/own.sock")}. The sandbox has none. If the network is open, use a port of 127.0.0.1; to reach a service, the user can run it outside the sandbox.)`,
    );
  });

  test("node, make and temporary files work", async () => {
    writeFileSync(at("work/Makefile"), "all:\n\t@echo made > built\n");
    const kit = await open();

    const made = await bash(kit, "make 2>&1 || echo made > built");
    const temporary = await script(
      kit,
      'set -e; f=$(mktemp); echo kept > "$f"; cat "$f"; node -e "process.exit(5)" || echo "node $?"',
    );
    const later = await script(kit, 'ls "$TMPDIR" | wc -l');

    expect([made.status, readFileSync(at("work/built"), "utf8")]).toEqual(["ok", "made\n"]);
    expect(temporary.text).toBe("kept\nnode 5");
    // The commands of one toolkit share it.
    expect(later.text).toBe("1");
  });

  test("the folder a command ends in, its exit code and its output are as ever", async () => {
    const kit = await open();

    const moved = await bash(kit, "cd secrets; echo a; echo b >&2; exit 3");
    const next = await bash(kit, "pwd");

    expect(moved.metadata).toMatchObject({ exitCode: 3 });
    expect(moved.text).toContain("[stderr]\nb");
    expect(next.text).toBe(at("work/secrets"));
  });

  test("a task in the background is confined, reported and stopped with all it started", async () => {
    const kit = await open();
    const seconds = `4${process.pid}.5`;

    const { metadata } = await script(
      kit,
      `echo x > ${at("outside/made")}; setsid sleep ${seconds} & sleep ${seconds} & echo up; trap 'echo bye > ended; exit' TERM; wait`,
      { run_in_background: true },
    );
    const task_id = String(metadata["taskId"]);
    let text = "";
    while (!text.includes("up")) {
      ({ text } = await kit.call({ name: "TaskOutput", input: { task_id, offset: 1 } }));
    }
    const before = processesWith(seconds).length;
    await kit.call({ name: "TaskStop", input: { task_id } });

    expect(metadata["sandbox"]).toMatchObject({ provider: "bwrap" });
    expect(existsSync(at("outside/made"))).toBe(false);
    expect(before).toBe(2);
    expect(processesWith(seconds)).toEqual([]);
    // It was asked to end before it was made to.
    expect(readFileSync(at("work/ended"), "utf8")).toBe("bye\n");
  });

  test("what a command leaves running is reported, stays confined, and ends with the toolkit", async () => {
    const kit = await open();
    const seconds = `5${process.pid}.5`;

    const { text } = await bash(kit, `setsid sleep ${seconds} > /dev/null 2>&1 & echo done`);
    const left = processesWith(seconds);
    await kit.dispose();

    expect(text).toMatch(
      /^done\n\(Left running: process \d+\. It ends when the session does\.\)$/u,
    );
    expect(left.map((pid) => text.includes(`process ${pid}.`))).toContain(true);
    expect(processesWith(seconds)).toEqual([]);
  });

  // Mounts are looked for after every test here.
  test("nothing is left of it: no process, no mount, no file", async () => {
    const kit = await open();
    await script(kit, 'echo x > "$TMPDIR/x"; echo y > /nowhere');
    const during = temporaryOnes();
    await kit.dispose();

    expect(during).toHaveLength(1);
    expect(temporaryOnes()).toEqual([]);
    expect(processesWith(at(""))).toEqual([]);
  });

  test("a program no sandbox can hold runs straight, and the result says so", async () => {
    const kit = await open();

    const { metadata } = await bash(kit, "strace --version; true");

    expect(metadata["sandbox"]).toMatchObject({
      provider: "none",
      because: "strace looks into other processes, which a sandbox forbids.",
    });
  });

  test("where a sandbox is required such a program is confined as well", async () => {
    const kit = await open({ sandbox: { require: "enforced" } });

    const { metadata } = await bash(kit, "strace --version; true");

    expect(metadata["sandbox"]).toMatchObject({ provider: "bwrap", filesystem: "enforced" });
  });

  test("the network can be closed", async () => {
    const kit = await open({ sandbox: { network: "none" } });

    const outcome = await script(
      kit,
      `node -e "require('net').connect(9, '127.0.0.1').on('error', (e) => { console.log(e.code); process.exit(1); })"`,
    );

    expect(outcome.metadata["sandbox"]).toMatchObject({ network: "enforced" });
    expect(outcome.text).toMatch(/EPERM|EACCES|ENETUNREACH|ECONNREFUSED/u);
    expect(outcome.status).toBe("failed");
  });

  test("a person's own command runs as confined as those of tools", async () => {
    const kit = await open();
    const printed: string[] = [];

    const ran = await kit.runConfined(["sh", "-c", `echo hello; echo x > ${at("outside/made")}`], {
      onOutput: (bytes, stream) => printed.push(`${stream}: ${new TextDecoder().decode(bytes)}`),
    });

    expect(ran).toMatchObject({ signal: null, report: { provider: "bwrap" } });
    expect(ran.code).not.toBe(0);
    expect(ran.notes.join(" ")).toContain(`kept ${at("outside/made")} from being changed`);
    expect(printed[0]).toBe("stdout: hello\n");
    expect(existsSync(at("outside/made"))).toBe(false);
    await expect(kit.runConfined(["sudo", "true"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
