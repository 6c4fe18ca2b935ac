import { expect, test } from "vitest";
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
