import { messageOf } from "../../text/index.ts";
import {
  createdDirectory,
  createdHere,
  createdTool,
  readStored,
  storedNames,
} from "../../created/index.ts";
import { isTrustedContent, isTrustRevoked, type SettingsProblem } from "../../workspace/index.ts";
import { createdScope, isHeld } from "./kit-created.ts";
import type { CreatedKitParts } from "./lazy-created.ts";

/**
 * Adds the created tools of a trusted workspace to its kit, and returns why others are not added. Only the content that
 * the user trusted is used, as long as the workspace is trusted; it stays in memory, so that a later change of the
 * files changes nothing.
 */
export async function openStoredTools(parts: CreatedKitParts): Promise<readonly SettingsProblem[]> {
  const { host, place, registry, created } = parts;
  const { workspace, trusted } = place;
  const names = await storedNames(workspace, host);
  const problems: SettingsProblem[] = [];
  const report = (name: string, message: string, hint: string): void =>
    void problems.push({
      severity: "warning",
      message,
      hint,
      file: `${workspace}/${createdDirectory}/${name}/tool.json`,
    });
  if (!trusted) {
    for (const name of names) report(name, `The tool ${name} needs trust.`, trustHint);
    return problems;
  }
  const { dataDirectory } = place;
  const verify = async (): Promise<string | undefined> =>
    (await isTrustRevoked(place, { host, workspace, dataDirectory }))
      ? "the workspace is not trusted any more."
      : undefined;
  const isEnforced = names.length > 0 && (await isHeld(parts));
  for (const name of names) {
    const { definition, fault, hashes } = await readStored(workspace, name, host);
    if (definition === undefined) {
      const hint = fault?.hint ?? "haft tools test names the fault.";
      report(name, `The tool ${name} is not offered: ${fault?.message ?? ""}`, hint);
      continue;
    }
    const unchanged = await Promise.all(
      [...hashes].map(async ([path, hash]) => await isTrustedContent(place, path, hash)),
    );
    if (unchanged.includes(false)) {
      report(name, `The tool ${name} changed after the workspace was trusted.`, trustHint);
      continue;
    }
    try {
      const tool = createdTool(definition, { isEnforced, verify, origin: storedHere });
      registry.register(tool, { scope: createdScope });
      created.definitions.set(name, definition);
      created.stored.set(name, definition);
    } catch (error) {
      report(name, `The tool ${name} is not offered: ${messageOf(error)}`, "Rename it.");
    }
  }
  return problems;
}

/** Origin of a tool that was not written in this session. */
const storedHere = {
  ...createdHere,
  hint: "The user can correct its files, and trust them again with haft trust add.",
};

const trustHint = "If it is yours, haft trust add enables it.";
