import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runConfined } from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { confinedWorld, git, source } from "./confined-world.ts";
import { typeScriptFlags } from "../support/from-source.ts";

leaveNothing();

const { at, isMissing, policyOf, shell, working } = await confinedWorld();

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
    const mark = path.basename(at(""));
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
      const words = [process.execPath, ...typeScriptFlags, "probe.mjs"];

      const { stdout } = await shell("bwrap", words.join(" "));

      expect(stdout).toBe("bwrap false\nlandlock true\n");
    },
  );
});

function quietRead(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
