import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tarGz, zip, type ArchiveEntry } from "./archives.ts";
import {
  entriesOf,
  hubServer,
  notesSkill,
  serveClawHub,
  serveRegistry,
  serveSkillsSh,
  serveWellKnown,
  type HubServer,
} from "./hub-server.ts";
import { haftIn, pluginWorld, type PluginWorld } from "./plugin-world.ts";

const kinds = ["skills.sh", "well-known", "clawhub"] as const;
const ids = {
  "skills.sh": "skills.sh:acme/tools/notes",
  "well-known": "well-known:notes",
  clawhub: "clawhub:notes",
};

interface HubWorld extends PluginWorld {
  readonly hub: HubServer;
}

async function hubWorld(used: readonly string[] = [...kinds, "mcp-registry"]): Promise<HubWorld> {
  const world = await pluginWorld();
  const hub = await hubServer();
  const skillHubs = used.map((kind) => ({ kind, url: hub.url }));
  await world.write("home", { ".haft/settings.json": JSON.stringify({ skillHubs }) });
  return {
    ...world,
    hub,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

const start = notesSkill["SKILL.md"] ?? "";
const skillMd: ArchiveEntry = { name: "SKILL.md", text: start };

describe("hubs of skills", () => {
  test("are searched together, and one that does not answer is named", async () => {
    await using world = await hubWorld();
    serveSkillsSh(world.hub);
    serveWellKnown(world.hub);
    serveRegistry(world.hub);
    const kit = await world.open();

    const { skills, problems } = await kit.skills.search("notes");

    expect(skills.map(({ id }) => id)).toEqual([
      "skills.sh:acme/tools/notes",
      "well-known:notes",
      "mcp-registry:io.acme/notes",
    ]);
    expect(problems).toEqual([expect.stringMatching(/has nothing at \/api\/v1\/search/u)]);
  });

  test.each(kinds)("%s: a skill is reviewed, installed, pinned and used", async (kind) => {
    await using world = await hubWorld([kind]);
    serveSkillsSh(world.hub);
    serveWellKnown(world.hub);
    serveClawHub(world.hub);
    const kit = await world.open();

    const review = await kit.skills.review({ id: ids[kind] });
    expect(existsSync(`${world.home}/.haft/skills`)).toBe(false);
    await review.accept();

    expect(review).toMatchObject({
      name: "notes",
      parts: [{ kind: "skill", name: "notes", tools: ["Read"] }],
    });
    expect(review.programs).toMatchObject([{ name: "scripts/clean.sh", isNew: true }]);
    expect(review.describe().join("\n")).toMatch(/delete build/u);
    expect(await kit.skills.installed()).toMatchObject([
      { name: "notes", id: ids[kind], hash: review.hash },
    ]);
    const used = await (await world.open()).call({ name: "Skill", input: { skill: "notes" } });
    expect(used.text).toContain("Take notes.");
  });

  test("a skill that changed after it was installed is not used", async () => {
    await using world = await hubWorld(["clawhub"]);
    serveClawHub(world.hub);
    await (await (await world.open()).skills.review({ id: ids.clawhub })).accept();
    await world.write("home/.haft/skills/notes", { "scripts/clean.sh": "#!/bin/sh\ncurl evil\n" });

    const { error } = await (await world.open()).call({ name: "Skill", input: { skill: "notes" } });

    expect(error).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(error?.message).toMatch(/notes changed after it was installed/u);
  });

  test("an update shows the difference, and the same content is not an update", async () => {
    await using world = await hubWorld(["clawhub"]);
    serveClawHub(world.hub);
    const kit = await world.open();
    await (await kit.skills.review({ id: ids.clawhub })).accept();

    const same = await kit.skills.review({ id: ids.clawhub });
    serveClawHub(world.hub, zip([skillMd, { name: "new.md", text: "See." }]));
    const next = await kit.skills.review({ id: ids.clawhub });
    await next.accept();

    expect(same.installedHash).toBe(same.hash);
    expect(next.files.map(({ path, change }) => `${change} ${path}`)).toEqual([
      "unchanged SKILL.md",
      "added new.md",
      "removed scripts/clean.sh",
    ]);
    expect(existsSync(`${world.home}/.haft/skills/notes/scripts`)).toBe(false);
  });

  test("a skill of the user's own is never replaced", async () => {
    await using world = await hubWorld(["clawhub"]);
    serveClawHub(world.hub);
    await world.write("home/.haft/skills/notes", { "SKILL.md": start });
    const kit = await world.open();

    const review = await kit.skills.review({ id: ids.clawhub });

    await expect(review.accept()).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
  });
});

describe("a hostile hub", () => {
  const author = "Nothing was installed. Ask its author to correct it.";
  const hostile: readonly (readonly [
    name: string,
    failure: { readonly code?: string; readonly message: string; readonly hint?: string },
    serve: (hub: HubServer) => void,
  ])[] = [
    [
      "a path that leads out",
      { message: 'The path "../evil" leads out of the directory.' },
      (hub) => serveWellKnown(hub, zip([skillMd, { name: "../evil", text: "x" }])),
    ],
    [
      "a path that leads out of a tar file",
      { message: 'The path "a/../../evil" leads out of the directory.' },
      (hub) => serveWellKnown(hub, tarGz([skillMd, { name: "a/../../evil", text: "x" }])),
    ],
    [
      "an absolute path",
      { message: 'The path "/etc/evil" is not below the directory.' },
      (hub) => serveWellKnown(hub, tarGz([skillMd, { name: "/etc/evil", text: "x" }])),
    ],
    [
      "a link",
      { message: '"evil" is a link, not a file.' },
      (hub) => serveWellKnown(hub, tarGz([skillMd, { name: "evil", type: "2" }])),
    ],
    [
      "a link in a zip file",
      { message: '"evil" is a link, not a file.' },
      (hub) =>
        serveWellKnown(hub, zip([skillMd, { name: "evil", type: "2", text: "/etc/passwd" }])),
    ],
    [
      "a hard link",
      { message: '"evil" is a hard link, not a file.' },
      (hub) => serveWellKnown(hub, tarGz([skillMd, { name: "evil", type: "1" }])),
    ],
    [
      "a device",
      { message: '"evil" is a device, not a file.' },
      (hub) => serveWellKnown(hub, tarGz([skillMd, { name: "evil", type: "3" }])),
    ],
    [
      "a pipe",
      { message: '"evil" is a pipe, not a file.' },
      (hub) => serveWellKnown(hub, tarGz([skillMd, { name: "evil", type: "6" }])),
    ],
    [
      "names that differ by case",
      { message: 'The path "skill.md" is the same as SKILL.md on some systems.' },
      (hub) => serveWellKnown(hub, zip([skillMd, { name: "skill.md", text: "x" }])),
    ],
    [
      "a hidden character in a name",
      { message: 'The path "a\\u202eb" has a hidden character.' },
      (hub) => serveSkillsSh(hub, { ...notesSkill, "a\u202Eb": "x" }),
    ],
    [
      "an entry with two names",
      { message: "An entry of the archive has two names." },
      (hub) => serveWellKnown(hub, zip([skillMd, { name: "a.md", otherName: "b.md" }])),
    ],
    [
      "a repository inside",
      { message: 'The path ".git/config" is part of a repository\'s own data.' },
      (hub) => serveWellKnown(hub, zip([skillMd, { name: ".git/config", text: "x" }])),
    ],
    [
      "50 MB of zeros in few bytes",
      { code: "TOO_LARGE", message: "It has more than 50000000 bytes." },
      (hub) =>
        serveWellKnown(hub, tarGz([skillMd, { name: "big", text: "\0".repeat(60_000_000) }])),
    ],
    [
      "more files than a skill may have",
      { code: "TOO_LARGE", message: "It has more than 2000 files." },
      (hub) =>
        serveWellKnown(
          hub,
          tarGz([skillMd, ...Array.from({ length: 2001 }, (_each, at) => ({ name: `f${at}` }))]),
        ),
    ],
    [
      "no SKILL.md",
      { message: "The download has no SKILL.md." },
      (hub) => serveWellKnown(hub, zip([{ name: "a.md", text: "x" }])),
    ],
    [
      "a lie about a hash",
      {
        message: "<hub> announced the hash sha256:00000000000000000… and sent other content.",
        hint: "Nothing was installed. Ask the hub.",
      },
      (hub) => serveWellKnown(hub, zip([skillMd]), `sha256:${"0".repeat(64)}`),
    ],
    [
      "a lie about the hash of texts",
      {
        message: "<hub> announced the hash 000000000000000000000000… and sent other content.",
        hint: "Nothing was installed. Ask the hub.",
      },
      (hub) => serveSkillsSh(hub, notesSkill, "0".repeat(64)),
    ],
    [
      "something that is not an archive",
      { message: "The download is not a zip or tar.gz archive." },
      (hub) => serveWellKnown(hub, Buffer.from("<html>")),
    ],
    [
      "a damaged archive",
      { message: "The archive is damaged." },
      (hub) => serveWellKnown(hub, zip([skillMd]).subarray(0, 100)),
    ],
    [
      "a name that is not one",
      {
        message:
          'The skill has no valid name. The name "../x" is not 1 to 64 lowercase letters, digits and single hyphens.',
      },
      (hub) =>
        serveWellKnown(
          hub,
          zip([{ name: "SKILL.md", text: "---\nname: ../x\ndescription: x\n---\n" }]),
        ),
    ],
    [
      "malware, as it says itself",
      {
        code: "PERMISSION_DENIED",
        message: "ClawHub blocks notes as malware.",
        hint: "Use another skill.",
      },
      (hub) => serveClawHub(hub, undefined, { isMalwareBlocked: true, isSuspicious: true }),
    ],
  ];

  test.each(hostile)(
    "with %s is refused, and nothing is installed",
    async (_name, failure, serve) => {
      await using world = await hubWorld();
      serve(world.hub);
      const kit = await world.open();
      const id = Object.values(ids).find((each) => {
        const [kind] = each.split(":");
        const path = {
          "skills.sh": "/api/download/acme/tools/notes",
          "well-known": "/.well-known/agent-skills/index.json",
          clawhub: "/api/v1/skills/notes",
        }[kind ?? ""];
        return path !== undefined && world.hub.answers.has(path);
      });

      const review = kit.skills.review({ id: id ?? "" });

      await expect(review).rejects.toMatchObject({
        code: "INVALID_INPUT",
        hint: author,
        ...failure,
        message: failure.message.replace("<hub>", world.hub.url),
      });
      expect(existsSync(`${world.home}/.haft/skills`)).toBe(false);
      expect(existsSync(`${world.folder}/evil`)).toBe(false);
    },
  );

  test("that redirects to another site is refused by name, and that site gets no request", async () => {
    await using world = await hubWorld(["clawhub"]);
    await using other = await hubServer();
    serveClawHub(world.hub);
    serveClawHub(other);
    world.hub.answers.set("/api/v1/download?slug=notes&version=1.2.0", {
      status: 302,
      headers: { location: `${other.url}/api/v1/download?slug=notes&version=1.2.0` },
      body: "",
    });
    const kit = await world.open();

    const review = kit.skills.review({ id: ids.clawhub });

    await expect(review).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringContaining(`another site, ${other.url}`),
      hint: expect.stringMatching(/^[A-Z].*\.$/u),
    });
    expect(other.requests).toEqual([]);
  });

  test("that redirects without end is refused", async () => {
    await using world = await hubWorld(["clawhub"]);
    world.hub.answers.set("/api/v1/skills/notes", {
      status: 302,
      headers: { location: "/api/v1/skills/notes" },
      body: "",
    });
    const kit = await world.open();

    const review = kit.skills.review({ id: ids.clawhub });

    await expect(review).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("redirects without end"),
      hint: expect.stringMatching(/^[A-Z].*\.$/u),
    });
  });

  test("named by an untrusted project is not asked", async () => {
    await using world = await hubWorld([]);
    const skillHubs = [{ kind: "clawhub", url: world.hub.url }];
    await world.write("workspace", { ".haft/settings.json": JSON.stringify({ skillHubs }) });
    const kit = await world.open();

    expect(kit.listings().map(({ name }) => name)).not.toContain("SkillHubSearch");
    expect(world.hub.requests).toEqual([]);
  });
});

describe("tools for hubs", () => {
  test.each([
    [[], false],
    [["clawhub"], true],
  ])("with the hubs %j of the settings they are offered: %j", async (used, isOffered) => {
    await using world = await hubWorld(used);
    const kit = await world.open({ onAsk: async () => ({ kind: "deny" }) });

    const names = kit.listings().map(({ name }) => name);

    expect(names.includes("SkillHubSearch")).toBe(isOffered);
    expect(names.includes("SkillHubInstall")).toBe(isOffered);
  });

  test("agentskills#170: install a skill only after the user has seen its scripts and their effects", async () => {
    await using world = await hubWorld(["clawhub"]);
    serveClawHub(world.hub);
    const asked: string[] = [];
    let choice = "Do not install it";
    const kit = await world.open({
      onAsk: async ({ kind, question }) => {
        if (kind === "permission") return { kind: "once" };
        asked.push(question);
        return { kind: "answer", choices: [choice] };
      },
    });
    const call = { name: "SkillHubInstall", input: { skillId: ids.clawhub } };

    const refused = await kit.call(call);
    expect(existsSync(`${world.workspace}/.haft/skills`)).toBe(false);
    choice = "Install it";
    const installed = await kit.call(call);

    expect(refused.error).toMatchObject({ code: "DENIED_BY_USER" });
    expect(installed).toMatchObject({ status: "ok" });
    expect(asked[0]).toMatch(/scripts\/clean\.sh \(new\)[^]*delete build/u);
    expect(existsSync(`${world.workspace}/.haft/skills/notes/SKILL.md`)).toBe(true);
  });

  test("install nothing where questions are answered automatically", async () => {
    await using world = await hubWorld(["clawhub"]);
    serveClawHub(world.hub);
    const onAsk = Object.assign(async () => ({ kind: "once" as const }), { isAutomatic: true });
    const kit = await world.open({ onAsk });

    const outcome = await kit.call({ name: "SkillHubInstall", input: { skill_id: ids.clawhub } });

    expect(outcome.error).toMatchObject({ code: "DENIED_BY_USER" });
    expect(existsSync(`${world.workspace}/.haft/skills`)).toBe(false);
  });

  test("give what a hub says as untrusted content", async () => {
    await using world = await hubWorld(["clawhub"]);
    serveClawHub(world.hub);
    const kit = await world.open({ onAsk: async () => ({ kind: "once" }) });

    const outcome = await kit.call({ name: "SkillHubSearch", input: { query: "notes" } });

    expect(outcome).toMatchObject({
      trust: "untrusted",
      text: "- clawhub:notes (ada): Takes notes.",
    });
  });
});

test("haft skills search, add, update and remove", async () => {
  await using world = await hubWorld(["clawhub"]);
  serveClawHub(world.hub, zip([...entriesOf(notesSkill)]), {
    isMalwareBlocked: false,
    isSuspicious: true,
    summary: "Runs code.",
  });

  const found = await haftIn(world, "skills", "search", "notes");
  const silent = await haftIn(world, "skills", "search", "silent");
  const unasked = await haftIn(world, "skills", "add", "clawhub:notes");
  const added = await haftIn(world, "skills", "add", "clawhub:notes", "--yes");
  const again = await haftIn(world, "skills", "update");
  const missing = await haftIn(world, "skills", "add", "clawhub:none", "--yes");
  const removed = await haftIn(world, "skills", "remove", "notes");

  expect(silent).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^No such .*, but not every hub answered\.\n.*has nothing at/u),
  });
  expect(found).toMatchObject({ code: 0, out: "clawhub:notes  Takes notes.  (ada)\n" });
  expect(unasked).toMatchObject({
    code: 4,
    err: expect.stringMatching(/ClawHub calls this skill suspicious\. Runs code\./u),
  });
  expect(added).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^notes 1\.2\.0 is installed for you/u),
  });
  expect(again.out).toMatch(/is installed already/u);
  expect(missing).toMatchObject({ code: 1, err: expect.stringMatching(/has nothing at/u) });
  expect(removed).toMatchObject({ code: 0, out: "notes is removed.\n" });
  expect(existsSync(`${world.home}/.haft/skills/notes`)).toBe(false);
});
