import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit, type Kit } from "../../src/index.ts";
import { escaped } from "./attempt.ts";
import { attempts } from "./attempts.ts";

const secret = "the-secret-of-the-test";
/** Seconds that a process which must not be left asks to sleep; the number finds it. */
const sleepSeconds = "86399.731";

export interface AttemptsWorld extends AsyncDisposable {
  readonly kit: Kit;
  /** Everything that an attempt has done beyond what it declares. */
  evidence(before: string, answer: string): Promise<readonly string[]>;
  state(): string;
}

/** A workspace with every attempt as a stored tool, and witnesses of what they do outside. */
export async function attemptsWorld(driver: string): Promise<AttemptsWorld> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "haft-created-")));
  const workspace = path.join(root, "workspace");
  const outside = path.join(root, "outside");
  const marker = `marker-of-${path.basename(root)}`;
  const files: Readonly<Record<string, string>> = {
    "workspace/in/data.txt": "data\n",
    "workspace/secret.txt": secret,
    "workspace/secret.json": JSON.stringify({ secret }),
    "workspace/secret.env": `FILE_SECRET=${secret}\n`,
    "workspace/out/result.txt": "",
    "workspace/out/dir/.keep": "",
    "outside/secret.txt": secret,
    "outside/file.txt": "untouched\n",
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  let contacts = 0;
  const contact = (): void => void (contacts += 1);
  const tcp = await listening({ port: 0, host: "127.0.0.1" }, contact);
  const unix = await listening({ path: path.join(outside, "socket") }, contact);
  const abstract = await listening({ path: `\0${marker}` }, contact);
  const udp = createSocket("udp4", contact);
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  const witness = spawn("sleep", ["3600"], { stdio: "ignore" });
  process.env["HAFT_CREATED_SECRET"] = secret;
  const { port } = tcp.address() as AddressInfo;
  const places: Readonly<Record<string, string>> = {
    W: workspace,
    O: outside,
    P: String(port),
    U: String(udp.address().port),
    S: path.join(outside, "socket"),
    M: marker,
    K: String(witness.pid),
    L: sleepSeconds,
  };
  for (const { name, language, body, fails } of attempts) {
    const directory = path.join(workspace, ".haft/tools", name);
    await mkdir(directory, { recursive: true });
    const filled = body.replaceAll(
      /\$([WOPUSMKL])(?![A-Za-z])/gu,
      (_, key: string) => places[key] ?? "",
    );
    await writeFile(path.join(directory, language === "shell" ? "run.sh" : "run.mjs"), filled);
    await writeFile(path.join(directory, "examples.json"), '[{"input":{}}]');
    await writeFile(
      path.join(directory, "tool.json"),
      manifest(name, language, fails === true ? 1500 : 20_000),
    );
  }
  const kit = await createToolkit({
    workspace,
    dataDirectory: path.join(root, "data"),
    settings: "load",
    trust: true,
    mode: "acceptEdits",
    sandbox: { driver },
    deferral: { threshold: false },
    onAsk: async () => ({ kind: "once" }),
  });
  const state = (): string =>
    JSON.stringify([treeOf(path.join(workspace)), treeOf(outside), contacts]);
  return {
    kit,
    state,
    async evidence(before, answer) {
      const kernel = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
      return [
        ...(state() === before ? [] : ["files or connections changed"]),
        ...(answer.includes(secret) ? ["a secret was read"] : []),
        ...(answer.includes(escaped) ? ["it says so"] : []),
        ...(witness.exitCode !== null || witness.signalCode !== null
          ? ["a process was killed"]
          : []),
        ...(survivors() > 0 ? ["a process was left"] : []),
        ...[`/tmp/${marker}`, `/dev/shm/${marker}`].filter((each) => existsSync(each)),
        ...(kernel.includes(marker) ? ["a setting of the kernel"] : []),
        ...("polluted" in {} ? ["a prototype was changed"] : []),
      ];
    },
    async [Symbol.asyncDispose]() {
      await kit.dispose();
      witness.kill("SIGKILL");
      for (const server of [tcp, unix, abstract]) server.close();
      udp.close();
      delete process.env["HAFT_CREATED_SECRET"];
      for (const each of [`/tmp/${marker}`, `/dev/shm/${marker}`]) rmSync(each, { force: true });
      await rm(root, { recursive: true, force: true });
    },
  };
}

function manifest(name: string, language: string, timeoutMs: number): string {
  return JSON.stringify({
    version: 1,
    name,
    description: `Attempt ${name}.`,
    input: { type: "object", properties: {} },
    touches: ["read", "write"],
    effects: [
      { kind: "read", path: "in/data.txt" },
      { kind: "write", path: "out/dir", scope: "tree" },
      { kind: "write", path: "out/result.txt" },
    ],
    language,
    timeout_ms: timeoutMs,
  });
}

async function listening(
  where: { readonly port: number; readonly host: string } | { readonly path: string },
  contact: () => void,
): Promise<Server> {
  const server = createServer((socket) => {
    contact();
    socket.on("error", () => undefined);
    socket.destroy();
  });
  server.listen(where);
  await once(server, "listening");
  return server;
}

/** Files below a directory with their content, mode and time, except what the attempts may write. */
function treeOf(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => name !== "out" && name !== "socket")
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(directory, entry.name);
      if (entry.isDirectory()) return [file, ...treeOf(file)];
      if (!entry.isFile()) return [file];
      const { mode, mtimeMs } = statSync(file);
      return [`${file} ${mode} ${mtimeMs} ${readFileSync(file, "utf8")}`];
    });
}

function survivors(): number {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/u.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(sleepSeconds);
    } catch {
      return false;
    }
  }).length;
}
