import { expect, test } from "vitest";
import { ToolError } from "../../../core/index.ts";
import { ServerLogin } from "./server-login.ts";
import type { LoginStore, StoredLogin } from "./stored-logins.ts";

const full = new ToolError("NO_SPACE", "The disk is full.", { hint: "Free some space." });

/** A login with an expired token, whose authorization server gives each refresh token once. */
function expired() {
  const notes: string[] = [];
  const sent: string[] = [];
  const disk: { isFull: boolean; login: StoredLogin | undefined } = {
    isFull: false,
    login: {
      server: {
        issuer: "https://login.example.com",
        metadata: undefined,
        resource: undefined,
        allowed: [],
        client: { client_id: "c" },
      },
      tokens: { access_token: "a0", refresh_token: "r0", token_type: "Bearer" },
      expiresAt: 0,
    },
  };
  const clock = { now: () => time };
  let time = 1_000_000;
  const store: LoginStore = {
    read: async () => disk.login,
    async write(_key, login) {
      if (disk.isFull) throw full;
      disk.login = login;
    },
    remove: async () => false,
    exclusively: async (_key, work) => await work(),
  };
  const fetchFor = (): typeof fetch => async (_address, init) => {
    const body = await new Response(init?.body ?? "").text();
    sent.push(new URLSearchParams(body).get("refresh_token") ?? "");
    const at = sent.length;
    const tokens = { access_token: `a${at}`, refresh_token: `r${at}`, token_type: "Bearer" };
    return Response.json({ ...tokens, expires_in: 3600 });
  };
  const onNote = (text: string): void => void notes.push(text);
  const config = { name: "s", loginKey: "k" };
  const login = new ServerLogin(config, { clock, store, fetchFor, onNote });
  return { login, disk, notes, sent, pass: (ms: number) => (time += ms) };
}

test("a renewed token that cannot be stored is used by this process, and stored with the next one", async () => {
  const { login, disk, notes, sent, pass } = expired();
  disk.isFull = true;

  expect(await login.token()).toBe("a1");
  expect(await login.token()).toBe("a1");
  expect(disk.login?.tokens?.access_token).toBe("a0");
  expect(notes.join()).toContain("could not be stored, so only this process has it: The disk is");

  pass(3_600_000);
  expect(await login.token()).toBe("a2");
  disk.isFull = false;
  pass(3_600_000);
  expect(await login.token()).toBe("a3");
  expect(sent).toEqual(["r0", "r1", "r2"]);
  expect(disk.login?.tokens?.access_token).toBe("a3");
});

test.each([
  ["a new login", { tokens: { access_token: "b", token_type: "Bearer" } }, "b"],
  ["a logout", undefined, undefined],
])("%s takes precedence over a token that could not be stored", async (_what, stored, token) => {
  const { login, disk } = expired();
  disk.isFull = true;
  await login.token();

  disk.login = stored;

  expect(await login.token()).toBe(token);
});
