import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import {
  sandboxPolicy,
  type SandboxPolicyOptions,
} from "../../src/sandbox/policy/sandbox-policy.ts";

/** A new home, workspace and temporary directory for every test, and the policies of that workspace with short paths. */
export function policyWorld() {
  let base = "";
  const at = (name: string) => path.join(base, name);

  beforeEach(async () => {
    base = await mkdtemp(path.join(await realpath(tmpdir()), "haft-policy-"));
    for (const name of ["home", "temporary", "workspace"]) await mkdir(at(name));
  });
  afterEach(async () => {
    await rm(base, { recursive: true });
  });

  async function files(entries: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(entries)) {
      await mkdir(path.dirname(at(name)), { recursive: true });
      await writeFile(at(name), text);
    }
  }

  async function policyOf(options: Partial<SandboxPolicyOptions> = {}) {
    const policy = await sandboxPolicy({
      workspace: at("workspace"),
      home: at("home"),
      temporary: at("temporary"),
      variables: {},
      ...options,
    });
    return {
      ...policy,
      writable: names(policy.writable),
      protected: names(policy.protected),
      // Without those of the machine it runs on.
      hidden: names(policy.hidden).filter((name) => !name.startsWith("..")),
      granted: names(policy.granted),
      pinned: policy.pinned.map((name) => path.relative(base, name)),
      watched: policy.watched.map(({ path: name, link }) => ({
        path: path.relative(base, name),
        ...(link === undefined ? {} : { link }),
      })),
    };
  }

  function names(entries: readonly { readonly path: string }[]): readonly string[] {
    return entries.map((entry) => path.relative(base, entry.path));
  }

  return { at, files, names, policyOf, short: (name: string) => path.relative(base, name) };
}
