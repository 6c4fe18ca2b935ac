import { expect, test } from "vitest";
import { remoteHost } from "../../../test/support/remote-host.ts";
import { memoryStore } from "./memory-store.ts";
import { filesOf, hostWithStore } from "./routed-host.ts";
import { actingHost, directoryOn } from "./routes.ts";

const bytes = new TextEncoder().encode("stored");

async function world() {
  const store = memoryStore();
  const files = filesOf(store);
  await store.area("trust").replace("trust.json", bytes);
  await store.area("artifacts").replace("a.txt", bytes);
  await store.area("settings").replace("home/.haft/settings.json", bytes);
  const remote = remoteHost({ id: "a/b", files: { "/home/user/.haft/settings.json": "forged" } });
  const keeping = hostWithStore(remote.host, files);
  const artifacts = `${files.directory}/artifacts`;
  return {
    remote,
    keeping,
    artifacts,
    directory: files.directory,
    acting: actingHost(keeping, artifacts),
  };
}

const textOf = (file: { readonly bytes: Uint8Array }): string =>
  new TextDecoder().decode(file.bytes);

test("tools read artifacts, and neither read nor change anything else of the store", async () => {
  const { acting, artifacts, directory } = await world();
  const refused = { code: "ACCESS_DENIED" };

  expect(textOf(await acting.fs.readFile(`${artifacts}/a.txt`))).toBe("stored");
  const trust = `${directory}/trust.json`;
  await expect(acting.fs.readFile(trust)).rejects.toMatchObject(refused);
  await expect(acting.fs.stat(trust)).rejects.toMatchObject(refused);
  await expect(acting.fs.writeAtomic(trust, bytes)).rejects.toMatchObject(refused);
  await expect(acting.fs.writeAtomic(`${artifacts}/a.txt`, bytes)).rejects.toMatchObject(refused);
  await expect(acting.fs.remove(`${artifacts}/a.txt`)).rejects.toMatchObject(refused);
  await expect(acting.fs.move(`${artifacts}/a.txt`, "/project/a.txt")).rejects.toMatchObject(
    refused,
  );
});

test("the user's own settings are those of the store for haft, and those of the host for tools", async () => {
  const { keeping, acting } = await world();
  const path = "/home/user/.haft/settings.json";

  expect(textOf(await keeping.fs.readFile(path))).toBe("stored");
  expect(textOf(await acting.fs.readFile(path))).toBe("forged");
});

test("the administrator's settings of the host do not count, and haft writes none", async () => {
  const { keeping, remote } = await world();
  const path = "/etc/haft/managed-settings.json";
  remote.machine.control.plant(path, { kind: "file", content: "forged" });

  await expect(keeping.fs.readFile(path)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(keeping.fs.writeAtomic(path, bytes)).rejects.toMatchObject({
    code: "ACCESS_DENIED",
  });
});

test("a link on the host leads neither haft nor a tool into the store", async () => {
  const { keeping, acting, remote, directory } = await world();
  const plant = (name: string, target: string): void =>
    remote.machine.control.plant(name, { kind: "symlink", target });
  plant("own", `${directory}/trust.json`);
  plant("user", "/home/user/.claude/settings.json");
  const refused = { code: "ACCESS_DENIED" };

  await expect(keeping.fs.canonical("/project/own")).rejects.toMatchObject(refused);
  await expect(keeping.fs.canonical("/project/user")).rejects.toMatchObject(refused);
  await expect(acting.fs.canonical("/project/own")).rejects.toMatchObject(refused);
});

test("each host has a directory of its own, whatever its id", async () => {
  const { keeping, directory } = await world();

  expect(directoryOn(keeping, `${directory}/journal`)).toBe(`${directory}/journal/hosts/a%2Fb`);
});
