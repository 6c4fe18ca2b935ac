import { describe, expect, test } from "vitest";
import {
  boundary,
  home,
  readOf,
  requestOf,
  verdict,
  writeOf,
} from "../../test/policy/policy-world.ts";
import { loadSecretTables } from "../core/index.ts";
import { decide } from "./decide.ts";

const { secretPlaces } = await loadSecretTables();

const secrets = secretPlaces({
  homes: [home],
  variables: { KUBECONFIG: "/ws/kube:/srv/kube", XDG_CONFIG_HOME: "/xdg", CODEX_HOME: "/ws" },
  workspace: "/ws",
  add: ["~/.ours", "/srv/keys"],
  open: ["~/.condarc"],
});
/** A workspace that is the home directory as well. */
const inHome = { boundary: { ...boundary, roots: ["/ws", home], secrets } };

describe("secrets (issue 14)", () => {
  test.each([
    [`${home}/.aws/credentials`, "a directory of the table"],
    [`${home}/.SSH/id`, "letter case, as some file systems see it"],
    [`${home}/.zsh_history`, "a name with a star"],
    [`${home}/.ours/x`, "added by a setting"],
    ["/xdg/gcloud/x", "where XDG puts it"],
    ["/ws/kube", "where a variable puts it, inside the workspace"],
    ["/ws/auth.json", "a part of what a variable names"],
    ["/etc/shadow", "of the machine"],
    ["/srv/keys/a", "added, absolute"],
  ])("%s is asked about in every mode but one: %s", (path) => {
    const lists = { allow: ["Read", "Read(//**)", "Read(~/**)"] };

    expect(verdict([readOf(path)], { ...inHome, lists })).toBe("ask");
    expect(verdict([writeOf(path)], { ...inHome, lists, mode: "acceptEdits" })).toBe("ask");
    expect(verdict([readOf(path)], { ...inHome, mode: "bypassPermissions" })).toBe("allow");
  });

  test("what settings open, and what is none, is read like any other file", () => {
    expect(verdict([readOf(`${home}/.condarc`)], inHome)).toBe("allow");
    expect(verdict([readOf(`${home}/notes`)], inHome)).toBe("allow");
    expect(verdict([readOf("/ws/src/a.ts")], inHome)).toBe("allow");
  });

  test("a rule that begins at the secret answers, and is offered", () => {
    const effects = [readOf(`${home}/.aws/config`)];

    expect(verdict(effects, { ...inHome, lists: { allow: ["Read(~/.aws/**)"] } })).toBe("allow");
    expect(decide(requestOf(effects, inHome))).toMatchObject({ suggestion: expect.any(String) });
  });

  test("a tree that is read leaves them out, and tools learn by which rule", () => {
    const decision = decide(requestOf([{ kind: "read", path: home, scope: "tree" }], inHome));

    expect(decision.kind).toBe("allow");
    if (decision.kind === "deny") return;
    expect(decision.grant.excludes(`${home}/.aws/credentials`, "read")).toBe(`Read(/${home}/.aws)`);
    expect(decision.grant.excludes(`${home}/notes`, "read")).toBeUndefined();
    expect(decision.grant.exclusions).toContainEqual({
      root: home,
      pattern: "/Library/Keychains",
      rule: `Read(/${home}/Library/Keychains)`,
    });
  });

  test("a place of the machine that holds the workspace or the home directory is left open", () => {
    const service = secretPlaces({
      homes: ["/var/lib/jenkins"],
      variables: {},
      workspace: "/var/lib/jenkins/workspace/a",
    });

    expect(service.at("/var/lib/jenkins/workspace/a/file")).toBeUndefined();
    expect(service.at("/var/lib/jenkins/.ssh/id")).toBe("/var/lib/jenkins/.ssh");
  });
});
