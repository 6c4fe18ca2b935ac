import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { handDescriptors } from "./inherited-descriptors.ts";
import { localHost } from "../../local-host.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "haft-handed-"));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test("each descriptor is at its number, gaps are left as they are, and all are closed", async () => {
  writeFileSync(path.join(root, "a"), "");

  const handed = await handDescriptors([
    { number: 7, kind: "file", path: path.join(root, "a") },
    { number: 4, kind: "file", path: "/dev/null" },
    { number: 5, kind: "file", path: "/dev/null" },
  ]);
  const paths = handed.stdio.map((one) => (typeof one === "number" ? `/proc/self/fd/${one}` : ""));
  const names = paths.map((one) => (one === "" ? one : readlinkSync(one)));
  handed.close();

  expect(names).toEqual(["", "/dev/null", "/dev/null", "", path.join(root, "a")]);
  expect(handed.stdio[2]).toBe(handed.stdio[1]);
  expect(() => readlinkSync(paths[1] ?? "")).toThrow("ENOENT");
  expect(() => readlinkSync(paths[4] ?? "")).toThrow("ENOENT");
});

test.for(["never", "always"] as const)(
  "a failure to start a program is reported whatever number is in its place, helper %s",
  async (helper) => {
    await using host = await localHost({ launching: { helper } });
    // A number above all open descriptors: the starting process has its own below.
    const number = Math.max(...readdirSync("/proc/self/fd").map(Number)) + 200;
    const descriptors = [{ number, kind: "file", path: "/dev/null" }] as const;
    const started = host.proc.start({
      id: "a",
      argv: ["/bin/true"],
      cwd: root,
      confinement: {
        wrap: (_argv, { cwd, env }) => ({ argv: [`${root}/missing`], cwd, env, descriptors }),
      },
    });

    await expect(started).rejects.toMatchObject({ code: "NOT_FOUND" });
  },
);

test("one that cannot be opened is the error, and the others are closed", async () => {
  const missing = path.join(root, "missing");

  await expect(
    handDescriptors([
      { number: 3, kind: "file", path: "/dev/null" },
      { number: 4, kind: "file", path: missing },
    ]),
  ).rejects.toThrow("ENOENT");
  await expect(
    handDescriptors([{ number: 3, kind: "socket", path: missing }]),
  ).rejects.toMatchObject({ data: { path: missing } });
});

const readsFour =
  'new (require("node:net").Socket)({ fd: 4 }).on("data", (bytes) => process.stdout.write(bytes))';

test.for(["never", "always"] as const)(
  "a program gets a connection to a socket, helper %s",
  async (helper) => {
    const address = path.join(root, "listener");
    const server = createServer((socket) => socket.end("from the listener"));
    await new Promise<void>((resolve) => {
      server.listen(address, resolve);
    });
    await using host = await localHost({ launching: { helper } });
    try {
      await host.proc.start({
        id: "a",
        // Reads of this pipe do not block, which not every program supports.
        argv: [process.execPath, "-e", readsFour],
        cwd: root,
        confinement: {
          wrap: (argv, { cwd, env }) => ({
            argv,
            cwd,
            env,
            descriptors: [{ number: 4, kind: "socket", path: address }],
          }),
        },
      });
      let printed = "";
      for await (const chunk of host.proc.output("a", 0)) {
        if ("bytes" in chunk) printed += new TextDecoder().decode(chunk.bytes);
      }

      expect(printed).toBe("from the listener");
    } finally {
      server.close();
    }
  },
);
