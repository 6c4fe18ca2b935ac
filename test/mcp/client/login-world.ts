import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import type { Kit } from "../../../src/index.ts";
import { loginServer, type LoginServer, type LoginServerOptions } from "./login-server.ts";
import { serverWorld, type ServerWorld } from "./server-world.ts";

/** Gives each test of a file a home directory of its own, for its logins. Returns where it is. */
export function useOwnHome(): () => string {
  let home = "";
  beforeEach(() => {
    home = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-home-"));
    vi.stubEnv("HOME", home);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });
  return () => home;
}

/** A server that wants a login, and a kit with it as `s` whose tools every call may use. */
export interface LoginWorld extends AsyncDisposable {
  readonly server: LoginServer;
  readonly world: ServerWorld;
  readonly kit: Kit;
}

export async function openLogin(options: LoginServerOptions = {}): Promise<LoginWorld> {
  const server = await loginServer(options);
  const world = serverWorld();
  const kit = await world.open({ s: { url: server.url } }, { rules: { allow: ["mcp__s"] } });
  return {
    server,
    world,
    kit,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
