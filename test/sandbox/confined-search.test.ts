import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { processEntry } from "../../src/host/processes/process-scan.ts";
import type { GrepQuery } from "../../src/core/index.ts";
import { localHost, type LocalHost } from "../../src/host/index.ts";
import { createToolkit } from "../../src/index.ts";
import {
  drivers,
  emptyRequest,
  probeDriver,
  Sandboxes,
  type SandboxRequirement,
} from "../../src/sandbox/index.ts";
import { areLawsFull } from "../support/law-runs.ts";

const working = new Set<string>();
for (const driver of drivers) if ((await probeDriver(driver)).works) working.add(driver.name);

let base = "";
let server: Server;
let connections = 0;
const closing: (() => Promise<void>)[] = [];
const at = (name: string) => path.join(base, name);

beforeEach(async () => {
  base = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-search-"));
  for (const name of ["home/.ssh", "workspace/below", "data"])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at("home/.ssh/key"), "needle");
  writeFileSync(at("workspace/one.txt"), "a needle\n");
  writeFileSync(at("workspace/below/two.txt"), "no\na needle\n");
  connections = 0;
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  server.close();
  rmSync(base, { recursive: true });
});

/** Replaces ripgrep: reports as counts what it could do. */
function nosySearcher(): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const tries = {
    wrote: "echo x > planted",
    "wrote-outside": `echo x > '${at("planted")}'`,
    "wrote-temporary": `echo x > /tmp/haft-search-planted-${process.pid} && rm /tmp/haft-search-planted-${process.pid}`,
    "read-secret": `head -c 1 '${at("home/.ssh/key")}'`,
    "reached-network": `/bin/bash -c 'exec 9<>/dev/tcp/127.0.0.1/${port}'`,
    "read-here": "head -c 1 one.txt",
  };
  const lines = Object.entries(tries).map(
    ([name, script]) => `if (${script}) >/dev/null 2>&1; then printf './${name}\\0001\\n'; fi`,
  );
  const file = at("searcher");
  writeFileSync(file, `#!/bin/sh\n${lines.join("\n")}\n`);
  chmodSync(file, 0o755);
  return file;
}

async function hostOf(ripgrep?: string): Promise<LocalHost> {
  const host = await localHost(ripgrep === undefined ? {} : { ripgrep });
  closing.push(async () => await host[Symbol.asyncDispose]());
  return host;
}

function sandboxesOf(
  driver: string | undefined,
  require: SandboxRequirement = "best-effort",
): Sandboxes {
  const sandboxes = new Sandboxes({
    require,
    driver,
    network: { kind: "open" },
    workspace: at("workspace"),
    home: at("home"),
    writable: [],
    statusDirectories: [],
    probeFile: at("data/sandbox.json"),
  });
  closing.push(async () => await sandboxes.dispose());
  return sandboxes;
}

async function counts(host: LocalHost, sandboxes: Sandboxes, query: Omit<GrepQuery, "pattern">) {
  const confinement = await sandboxes.forSearch(query.root);
  const found: string[] = [];
  const asked = {
    pattern: "needle",
    countOnly: true,
    ...query,
    ...(confinement && { confinement }),
  };
  for await (const event of host.search.grep(asked)) {
    if (event.kind === "count") found.push(path.relative(query.root, event.path));
  }
  return found.toSorted();
}

describe.each(["bwrap", "landlock"] as const)("%s", (driver) => {
  test.skipIf(!working.has(driver))(
    "lets what searches read below its root, and no secret, and nothing else",
    async () => {
      const host = await hostOf(nosySearcher());

      const confined = await counts(host, sandboxesOf(driver), { root: at("workspace") });
      expect(confined).toEqual(["read-here"]);
      expect(connections).toBe(0);
      expect(readdirSync(at("workspace"))).toEqual(["below", "one.txt"]);

      const free = await counts(host, sandboxesOf(undefined, "off"), { root: at("workspace") });
      expect(free).toEqual(
        [
          "reached-network",
          "read-here",
          "read-secret",
          "wrote",
          "wrote-outside",
          "wrote-temporary",
        ].toSorted(),
      );
    },
  );

  test.skipIf(!working.has(driver))("hides a secret that was replaced since", async () => {
    const host = await hostOf(nosySearcher());
    const sandboxes = sandboxesOf(driver);
    const before = await counts(host, sandboxes, { root: at("workspace") });

    renameSync(at("home/.ssh"), at("home/.old"));
    mkdirSync(at("home/.ssh"));
    writeFileSync(at("home/.ssh/key"), "needle");

    expect(await counts(host, sandboxes, { root: at("workspace") })).toEqual(before);
  });

  test.skipIf(!working.has(driver))("finds what ripgrep finds without it", async () => {
    const host = await hostOf();
    const sandboxes = sandboxesOf(driver);

    expect(await counts(host, sandboxes, { root: at("workspace") })).toEqual([
      "below/two.txt",
      "one.txt",
    ]);
    expect(await counts(host, sandboxes, { root: at("workspace/below/two.txt") })).toEqual([""]);
    expect(
      await counts(host, sandboxes, {
        root: at("workspace"),
        isExcluded: (one) => one.endsWith("one.txt"),
      }),
    ).toEqual(["below/two.txt"]);
    expect(host.launching.confinedPids).toHaveLength(1);
    // A root that was granted is read whatever lies below it.
    expect(await counts(host, sandboxes, { root: at("home/.ssh") })).toEqual(["key"]);
    expect(await counts(host, sandboxes, { root: base, includeIgnored: true })).toContain(
      "home/.ssh/key",
    );
  });

  test.skipIf(!working.has(driver))("many searches leave nothing", async () => {
    const host = await hostOf();
    const sandboxes = sandboxesOf(driver);
    await counts(host, sandboxes, { root: at("workspace") });
    const [helper = 0] = host.launching.confinedPids ?? [];
    const descriptors = readdirSync("/proc/self/fd").length;

    // In all more than the descriptors that the pool of pipes may add.
    const rounds = areLawsFull ? 20 : 8;
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        Array.from(
          { length: 5 },
          async () => await counts(host, sandboxes, { root: at("workspace") }),
        ),
      );
    }

    expect(host.launching.confinedPids).toEqual([helper]);
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(descriptors + 32);
    await host[Symbol.asyncDispose]();
    // One that has ended and that nobody has asked about yet is gone.
    expect(processEntry(helper)).toBeUndefined();
  });
});

test.skipIf(!working.has("bwrap"))(
  "a link that took the place of a folder is not followed",
  async () => {
    const host = await hostOf();
    const sandboxes = sandboxesOf("bwrap");
    const confinement = await sandboxes.forSearch(at("workspace/below"));
    const helper = confinement?.helper;
    if (helper === undefined) throw new Error("It has a helper.");
    await counts(host, sandboxes, { root: at("workspace/below") });
    const swapping: NonNullable<GrepQuery["confinement"]> = {
      helper: {
        ...helper,
        // Asked when the folder is held and before the program is started in it.
        plain: (argv, options) => {
          renameSync(at("workspace/below"), at("workspace/moved"));
          symlinkSync(at("home"), at("workspace/below"));
          return helper.plain(argv, options);
        },
      },
    };
    const query = { root: at("workspace/below"), pattern: "needle", countOnly: true };

    const searching = host.search.grep({ ...query, confinement: swapping })[Symbol.asyncIterator]();

    await expect(searching.next()).rejects.toMatchObject({ code: "PATH_CHANGED" });
  },
);

test.skipIf(!working.has("bwrap"))(
  "other programs cannot write into what a search reads",
  async () => {
    const host = await hostOf();
    const sandboxes = sandboxesOf("bwrap");
    const before = await counts(host, sandboxes, { root: at("workspace") });
    const folder = (await sandboxes.forSearch(at("workspace")))?.helper?.shared ?? "";
    expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^pipe/u));
    const { sandbox } = await sandboxes.open(emptyRequest);
    const script = `ls "\${1%/*}"; for pipe in "$1"/pipe*; do printf './planted\\0001\\n' > "$pipe" && echo told; done`;
    await host.proc.start({
      id: "teller",
      argv: ["/bin/sh", "-c", script, "sh", folder],
      cwd: at("workspace"),
      ...(sandbox && { confinement: sandbox }),
    });
    let said = "";
    for await (const chunk of host.proc.output("teller", 0)) {
      if (!("exit" in chunk)) said += Buffer.from(chunk.bytes).toString();
    }

    expect(said).toMatch(/cannot create|nonexistent|no such file/iu);
    expect(said).not.toContain("told");
    // Nor is anything else there, such as pipes of other programs while they have names.
    expect(said.split("\n")[0]).toBe(path.basename(sandbox?.directory ?? ""));
    expect(await counts(host, sandboxes, { root: at("workspace") })).toEqual(before);
  },
);

test.each([
  { driver: "landlock", because: "it holds files only in part" },
  { driver: "unshare", because: "it holds no files" },
] as const)(
  "where a sandbox is required and $driver is there, no ripgrep is started: $because",
  async ({ driver }) => {
    const host = await hostOf(nosySearcher());
    const sandboxes = sandboxesOf(driver, "enforced");

    expect(await counts(host, sandboxes, { root: at("workspace") })).toEqual([
      "below/two.txt",
      "one.txt",
    ]);
  },
);

test.skipIf(!working.has("bwrap") && !working.has("landlock"))(
  "a toolkit confines its searches by itself",
  async () => {
    const host = await hostOf(nosySearcher());
    const kit = await createToolkit({
      host,
      workspace: at("workspace"),
      dataDirectory: at("data"),
    });
    closing.push(async () => await kit[Symbol.asyncDispose]());

    const { text, status } = await kit.call({
      name: "Grep",
      input: { pattern: "needle", output_mode: "count" },
    });

    expect(status).toBe("ok");
    expect(text).toContain("read-here");
    expect(text).not.toContain("wrote");
  },
);
