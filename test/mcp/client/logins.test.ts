// Logins to servers: who gets tokens, how they are renewed, and what happens when they no longer work.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Kit, McpLoginOptions } from "../../../src/index.ts";
import { typeScriptFlags } from "../../support/from-source.ts";
import { leaveNothing } from "../../support/leftovers.ts";
import { loginServer, type LoginServer } from "./login-server.ts";
import { openLogin, useOwnHome } from "./login-world.ts";
import { serverWorld } from "./server-world.ts";
import { areLawsFull } from "../../support/law-runs.ts";

leaveNothing();

const home = useOwnHome();

const rules = { allow: ["mcp__s"] };
const call = { name: "mcp__s__t", input: {} };
const logins = (): string => path.join(home(), ".haft/mcp-logins");

/** Logs in, with a browser that follows every redirect. */
async function logIn(
  kit: Kit,
  server: Pick<LoginServer, "browse">,
  options: Partial<McpLoginOptions> = {},
): Promise<Awaited<ReturnType<Kit["mcp"]["login"]>>> {
  return await kit.mcp.login("s", {
    opensBrowser: false,
    onAddress: (address) => void server.browse(address).catch(() => undefined),
    ...options,
  });
}

describe("a login", () => {
  test("registers haft, uses PKCE, and lets calls in", async () => {
    await using opened = await openLogin();
    const { server, kit } = opened;

    const before = await kit.call(call);
    const [listed] = kit.mcp.list();
    const result = await logIn(kit, server);
    const after = await kit.call(call);

    expect(before).toMatchObject({
      status: "failed",
      error: { code: "UNKNOWN_TOOL" },
    });
    expect(listed).toMatchObject({ status: "needs_auth", hint: "Run haft mcp login s." });
    expect(result).toEqual({ issuer: server.origin, scope: "read" });
    expect(after).toMatchObject({ status: "ok", text: "let in" });
    expect(server.requests).toContain("POST /register");
  });

  test("is stored where only the user can read it, and a later session uses it", async () => {
    await using server = await loginServer();
    await using world = serverWorld();
    const first = await world.open({ s: { url: server.url } }, { rules });
    await logIn(first, server);
    await first.dispose();
    const kit = await world.open({ s: { url: server.url } }, { rules });

    expect(await kit.call(call)).toMatchObject({ status: "ok" });
    expect(statSync(logins()).mode & 0o777).toBe(0o700);
    const [file = ""] = readdirSync(logins());
    expect(statSync(path.join(logins(), file)).mode & 0o777).toBe(0o600);
  });

  test("cannot be read by tools", async () => {
    await using server = await loginServer();
    await using world = serverWorld();
    const kit = await world.open({ s: { url: server.url } }, { rules: { allow: ["Read"] } });
    await logIn(kit, server);
    const [file = ""] = readdirSync(logins());

    const read = await kit.call({ name: "Read", input: { file_path: path.join(logins(), file) } });

    expect(read.status).not.toBe("ok");
  });

  test("is that of one name and address: another server gets no token", async () => {
    await using server = await loginServer();
    await using other = await loginServer();
    await using world = serverWorld();
    const kit = await world.open({ s: { url: server.url } }, { rules });
    await logIn(kit, server);
    await kit.dispose();
    const moved = await world.open({ s: { url: other.url } }, { rules });

    await moved.mcp.check("s");

    expect(other.tokens).toEqual([]);
    expect(moved.mcp.list()[0]).toMatchObject({ status: "needs_auth" });
  });

  test("ends with logout", async () => {
    await using opened = await openLogin();
    const { server, kit } = opened;
    await logIn(kit, server);
    await kit.call(call);

    expect(await kit.mcp.logout("s")).toBe(true);
    expect(await kit.mcp.logout("s")).toBe(false);
    expect(await kit.call(call)).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("needs a login"), hint: "Run haft mcp login s." },
    });
  });

  test("asks for a right that a call lacks, in addition to those before", async () => {
    await using opened = await openLogin();
    const { server, kit } = opened;
    await logIn(kit, server);
    server.require("write");

    const refused = await kit.call(call);
    const again = await logIn(kit, server);

    expect(refused).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("needs more rights (write)") },
    });
    expect(again.scope).toBe("read write");
    expect(await kit.call(call)).toMatchObject({ status: "ok" });
  });

  test("is not needed where the settings hold a token", async () => {
    await using server = await loginServer();
    await using world = serverWorld();
    const entry = { url: server.url, headers: { Authorization: "Bearer x" } };
    const kit = await world.open({ s: entry }, { rules });

    await kit.mcp.check("s");

    expect(kit.mcp.list()[0]).toMatchObject({ status: "failed" });
    expect(server.requests).toEqual([]);
  });

  test("in another process ends the wait of a session that runs", async () => {
    await using opened = await openLogin();
    const { server, world, kit } = opened;
    await kit.mcp.check("s");
    const other = await world.open({ s: { url: server.url } }, { rules });
    await logIn(other, server);

    expect(await kit.call(call)).toMatchObject({ status: "ok" });
  });

  test("takes an address that the user copied", async () => {
    await using opened = await openLogin();
    const { server, kit } = opened;
    const listening = Promise.withResolvers<(address: string) => boolean>();

    const result = await logIn(kit, server, {
      onListening: listening.resolve,
      onAddress(address) {
        const paste = async (): Promise<void> => {
          const accept = await listening.promise;
          const answer = await fetch(address, { redirect: "manual" });
          expect(accept("http://127.0.0.1:1/callback?code=a&state=b")).toBe(false);
          expect(accept(answer.headers.get("location") ?? "")).toBe(true);
        };
        void paste();
      },
    });

    expect(result.issuer).toBe(server.origin);
  });
});

describe("a token that has expired", () => {
  test("is renewed without a question, and the new one is stored", async () => {
    await using opened = await openLogin();
    const { server, kit } = opened;
    await logIn(kit, server);
    await kit.call(call);
    server.expire();

    expect(await kit.call(call)).toMatchObject({ status: "ok" });
    expect(await kit.call(call)).toMatchObject({ status: "ok" });
    expect(server.refreshes).toEqual({ accepted: 1, refused: 0 });
  });

  test("is renewed before it is sent, if its time is known", async () => {
    await using opened = await openLogin({ expiresIn: 1 });
    const { server, kit } = opened;
    await logIn(kit, server);
    server.expire();

    expect(await kit.call(call)).toMatchObject({ status: "ok" });
    expect(server.refreshes.refused).toBe(0);
  });

  test("is renewed once for many calls", async () => {
    await using opened = await openLogin();
    const { server, kit } = opened;
    await logIn(kit, server);
    await kit.call(call);
    server.expire();

    const outcomes = await Promise.all(Array.from({ length: 8 }, async () => await kit.call(call)));

    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => "ok"));
    expect(server.refreshes).toEqual({ accepted: 1, refused: 0 });
  });

  const many = areLawsFull ? 8 : 4;

  // claude-code#85236, opencode#34523, goose#12016
  test(
    `is renewed once by ${many} processes, and none is logged out`,
    { timeout: 120_000 },
    async () => {
      await using server = await loginServer({ together: many });
      await using world = serverWorld();
      const kit = await world.open({ s: { url: server.url } }, { rules });
      await logIn(kit, server);
      await kit.dispose();

      const processes = Array.from({ length: many }, (_each, at) => {
        const data = path.join(home(), `data-${at}`);
        mkdirSync(data);
        return run([world.workspace, data, server.url]);
      });
      await Promise.all(processes.map(async ({ ready }) => await ready));
      server.expire();
      const ended = await Promise.all(processes.map(async ({ go }) => await go()));

      expect(ended).toEqual(
        Array.from({ length: many }, () => `${JSON.stringify({ status: "ok", text: "let in" })}\n`),
      );
      expect(server.refreshes).toEqual({ accepted: 1, refused: 0 });
    },
  );

  test(
    "is renewed by another process if the one that renews it is killed",
    { timeout: 120_000 },
    async () => {
      const { promise: isAsked, resolve: onAsked } = Promise.withResolvers<void>();
      let isStalled = false;
      await using server = await loginServer({
        before: ({ url }) => {
          if (!isStalled || url !== "/token") return false;
          // The first process that asks gets no answer.
          isStalled = false;
          onAsked();
          return true;
        },
      });
      await using world = serverWorld();
      const kit = await world.open({ s: { url: server.url } }, { rules });
      await logIn(kit, server);
      await kit.dispose();
      const [first, ...others] = Array.from({ length: 4 }, (_each, at) => {
        const data = path.join(home(), `data-${at}`);
        mkdirSync(data);
        return run([world.workspace, data, server.url]);
      });
      await Promise.all([first?.ready, ...others.map(async ({ ready }) => await ready)]);
      server.expire();
      isStalled = true;

      const killed = first?.go();
      await isAsked;
      const ended = others.map(async ({ go }) => await go());
      first?.kill();

      expect(await killed).toBe("");
      expect(await Promise.all(ended)).toEqual(
        others.map(() => `${JSON.stringify({ status: "ok", text: "let in" })}\n`),
      );
      expect(server.refreshes).toEqual({ accepted: 1, refused: 0 });
    },
  );

  // claude-code#60572, opencode#33012
  test("whose renewal is refused keeps the tokens and shows needs_auth", async () => {
    await using opened = await openLogin();
    const { server, world, kit } = opened;
    await logIn(kit, server);
    await kit.call(call);
    const [file = ""] = readdirSync(logins());
    const stored = (): { tokens: unknown } =>
      JSON.parse(readFileSync(path.join(logins(), file), "utf8"));
    const { tokens } = stored();
    server.revoke();

    const outcome = await kit.call(call);
    const again = await kit.call(call);
    const search = await kit.call({ name: "ToolSearch", input: { query: "zebra" } });
    const later = await world.open({ s: { url: server.url } }, { rules });

    expect(outcome).toMatchObject({
      status: "failed",
      error: {
        code: "UNAVAILABLE",
        message: expect.stringContaining("The MCP server s needs a login"),
        hint: "Run haft mcp login s.",
        retryable: false,
      },
    });
    expect(again.status).toBe("failed");
    expect(server.refreshes.refused).toBe(1);
    expect(stored().tokens).toEqual(tokens);
    expect(search.text).toContain("Run haft mcp login s.");
    expect(later.mcp.list()[0]).toMatchObject({ status: "needs_auth" });
    await logIn(later, server);
    expect(await kit.call(call)).toMatchObject({ status: "ok" });
  });

  test("stays usable if the authorization server is down for a moment", async () => {
    let isDown = false;
    await using server = await loginServer({
      before(request, response) {
        if (!isDown || request.url !== "/token") return false;
        response.writeHead(503).end();
        return true;
      },
    });
    await using world = serverWorld();
    const kit = await world.open({ s: { url: server.url } }, { rules });
    await logIn(kit, server);
    await kit.call(call);
    server.expire();
    isDown = true;
    const during = await kit.call(call);
    isDown = false;

    expect(during).toMatchObject({ status: "failed", error: { retryable: true } });
    expect(await kit.call(call)).toMatchObject({ status: "ok" });
  });
});

/** A process that starts when it is told to. */
function run(words: readonly string[]): {
  readonly ready: Promise<unknown>;
  readonly go: () => Promise<string>;
  readonly kill: () => void;
} {
  const file = path.join(import.meta.dirname, "login-process.ts");
  const child = spawn(process.execPath, [...typeScriptFlags, file, ...words], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, HOME: home() },
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const ended = once(child, "close");
  return {
    ready: once(child.stdout, "data"),
    kill: () => void child.kill("SIGKILL"),
    async go() {
      child.stdin.end("go\n");
      await ended;
      return text.slice("ready\n".length);
    },
  };
}
