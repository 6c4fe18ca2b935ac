import { expect, test } from "vitest";
import { ToolError } from "../../../core/index.ts";
import { memoryHost } from "../../../host/index.ts";
import { loginStore } from "./stored-logins.ts";

test("a logout during a renewal removes the renewed tokens", async () => {
  const host = memoryHost();
  const store = loginStore({ host, directory: "/logins", turns: undefined, process: undefined });
  const login = { tokens: { access_token: "first", token_type: "Bearer" } };
  await store.write("key", login);
  const answer = Promise.withResolvers<void>();

  const renewal = store.exclusively("key", async () => {
    await answer.promise;
    await store.write("key", { tokens: { ...login.tokens, access_token: "second" } });
  });
  const logout = store.remove("key");
  answer.resolve();
  await renewal;

  expect(await logout).toBe(true);
  expect(await store.read("key")).toBeUndefined();
});

test("a login that cannot be read now is not taken for none", async () => {
  const host = memoryHost();
  const failing = {
    ...host,
    fs: Object.assign(Object.create(host.fs), {
      readFile: async () => {
        throw new ToolError("PERMISSION_DENIED", "The file cannot be opened.");
      },
    }),
  };
  const parts = { directory: "/logins", turns: undefined, process: undefined };

  await expect(loginStore({ host: failing, ...parts }).read("key")).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
  expect(await loginStore({ host, ...parts }).read("key")).toBeUndefined();
});

test("a login of a newer version is neither used nor replaced", async () => {
  const host = memoryHost();
  const store = loginStore({ host, directory: "/logins", turns: undefined, process: undefined });
  await host.fs.mkdir("/logins");
  await host.fs.writeAtomic("/logins/key.json", new TextEncoder().encode('{"version":2}'));

  await expect(store.read("key")).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
