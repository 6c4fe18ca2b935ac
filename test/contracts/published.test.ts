import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Host, HostFs, HostNet, HostProc, HostSearch } from "../../src/core/index.ts";
import { localHost, memoryHost, openStagedHost, scriptSearch } from "../../src/host/index.ts";
import {
  hostFsContract,
  hostNetContract,
  hostProcContract,
  hostSearchContract,
  type ContractCheck,
} from "../../src/testing/index.ts";
import { remoteHost } from "../support/remote-host.ts";
import { contractPrograms } from "./host/programs.ts";

interface Opened {
  readonly host: Host;
  readonly root: string;
  readonly close: () => Promise<void>;
}

const hosts: Readonly<Record<string, () => Promise<Opened>>> = {
  memory: async () => closing(memoryHost({ programs: contractPrograms }), "/project"),
  "on another machine": async () =>
    closing(remoteHost({ programs: contractPrograms }).host, "/project"),
  local: openLocal,
};

async function openLocal(): Promise<Opened> {
  const root = await mkdtemp(path.join(realpathSync(tmpdir()), "haft-contract-"));
  const opened = closing(await localHost(), root);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function closing(host: Host, root: string): Opened {
  return { host, root, close: async () => await host[Symbol.asyncDispose]() };
}

describe.each(Object.entries(hosts))("a host %s", (name, open) => {
  const ports = async () => {
    const { host, ...place } = await open();
    return { fs: host.fs, proc: host.proc, search: host.search, ...place };
  };
  test.each(hostFsContract(name, ports))("$name", async ({ run }) => await run());
  test.each(hostProcContract(name, ports))("$name", async ({ run }) => await run());
  test.each(hostSearchContract(name, ports))("$name", async ({ run }) => await run());
});

const staged = async () => {
  const { host } = await openStagedHost(memoryHost());
  return { fs: host.fs, search: host.search, root: "/project" };
};
test.each([...hostFsContract("staged", staged), ...hostSearchContract("staged", staged)])(
  "$name",
  async ({ run }) => await run(),
);

const local = async () => {
  const { host, root, close } = await openLocal();
  return { fs: host.fs, search: scriptSearch(host.fs), root, close };
};
test.each(hostSearchContract("local files, in JavaScript", local))(
  "$name",
  async ({ run }) => await run(),
);

const text = "hello";
const scripted = async () => {
  const at = "http://127.0.0.1:8080";
  const answering = { url: `${at}/`, text };
  const redirecting = `${at}/from`;
  const responses = {
    [answering.url]: { body: text },
    [redirecting]: { status: 302, headers: { location: answering.url } },
  };
  const { net } = memoryHost({ responses });
  return { net, answering, redirecting, silent: "http://127.0.0.1:65533/" };
};
const served = async () => {
  const server = createServer((request, response) => {
    if (request.url === "/from") response.writeHead(302, { location: `${addressOf(server)}/` });
    response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = addressOf(server);
  const host = await localHost();
  const close = async (): Promise<void> => {
    await host[Symbol.asyncDispose]();
    server.closeAllConnections();
    server.close();
  };
  const answering = { url: `${at}/`, text };
  const silent = "http://127.0.0.1:65533/";
  return { net: host.net, answering, redirecting: `${at}/from`, silent, close };
};

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It listens on a port.");
  return `http://127.0.0.1:${address.port}`;
}

test.each([...hostNetContract("memory", scripted), ...hostNetContract("local", served)])(
  "$name",
  async ({ run }) => await run(),
);

/** Checks that do not hold, by their names without that of the host. */
async function broken(checks: readonly ContractCheck[]): Promise<readonly string[]> {
  const found = await Promise.all(
    checks.map(async ({ name, run }) =>
      run().then(
        () => [],
        () => [name.replace(/^[^:]*: /u, "")],
      ),
    ),
  );
  return found.flat();
}

/** The port with other members. */
function changed<T extends object>(port: T, members: Partial<T>): T {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(name in members ? members : target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

const root = "/project";

const brokenProc = async () => {
  const { proc } = memoryHost({ programs: contractPrograms });
  const members: Partial<HostProc> = {
    start: async (spec, options) => {
      const started = await proc.start(spec);
      options?.signal?.addEventListener("abort", () => void proc.signal(spec.id, "KILL"));
      return started;
    },
  };
  return { proc: changed(proc, members), root };
};

const brokenSearch = async () => {
  const { fs } = memoryHost();
  const search = scriptSearch(fs);
  const members: Partial<HostSearch> = {
    glob: (query) => search.glob({ ...query, includeIgnored: true }),
  };
  return { fs, search: changed(search, members), root };
};

const brokenNet = async () => {
  const world = await scripted();
  const members: Partial<HostNet> = {
    fetch: async (request, options) =>
      await world.net.fetch(request, { ...options, allowsPrivate: true }),
  };
  return { ...world, net: changed(world.net, members) };
};

describe("what a contract finds", () => {
  test.each<[string, (fs: HostFs) => Partial<HostFs>]>([
    [
      "a file is replaced only if it is what was read",
      (fs) => ({ writeAtomic: async (at, data) => await fs.writeAtomic(at, data) }),
    ],
    [
      "a file is moved over a file, never over a directory",
      (fs) => ({
        move: async (from, to) => {
          await fs.remove(to, { recursive: true });
          await fs.move(from, to);
        },
      }),
    ],
    [
      "a limit of bytes refuses a file and does not cut it",
      (fs) => ({ readFile: async (at) => await fs.readFile(at) }),
    ],
    [
      "an operation that was aborted before does nothing",
      (fs) => ({ mkdir: async (at) => await fs.mkdir(at) }),
    ],
  ])("files that break: %s", async (law, members) => {
    const open = async () => {
      const { fs } = memoryHost();
      return { fs: changed(fs, members(fs)), root };
    };

    expect(await broken(hostFsContract("broken", open))).toContain(law);
  });

  test("processes that break: an abort ends a program, and its exit says why", async () => {
    expect(await broken(hostProcContract("broken", brokenProc))).toEqual([
      "an abort ends a program, and its exit says why",
    ]);
  });

  test("a search that breaks: what git ignores is found only on request", async () => {
    expect(await broken(hostSearchContract("broken", brokenSearch))).toEqual([
      "what git ignores is found only on request, and .git is not searched",
    ]);
  });

  test("a network that breaks: an address on a private network is refused", async () => {
    expect(await broken(hostNetContract("broken", brokenNet))).toEqual([
      "an address on a private network is refused unless the user named it",
    ]);
  });
});
