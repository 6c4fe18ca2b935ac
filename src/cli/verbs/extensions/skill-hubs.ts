import type { HubSkill, InstalledSkill, Kit } from "../../../index.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import type { KitValues } from "../../options.ts";
import { visibleText } from "../../print/visible-text.ts";
import type { Terminal } from "../../terminal.ts";
import { offerReview } from "./offer-review.ts";

export interface AskedHubs {
  readonly kit: Kit;
  readonly name: string | undefined;
  readonly scope: "user" | "project" | undefined;
  readonly values: KitValues;
  readonly terminal: Terminal;
}

/** `haft skills search`: lists what the hubs have. */
export async function search({ kit, name = "", values, terminal }: AskedHubs): Promise<ExitCode> {
  const found = await kit.skills.search(name);
  if (values.json === true) terminal.out(`${JSON.stringify(found, null, 2)}\n`);
  else {
    const width = Math.max(0, ...found.skills.map(({ id }) => id.length));
    for (const skill of found.skills) terminal.out(`${searchLine(skill, width)}\n`);
    if (found.skills.length === 0) {
      const isWhole = found.problems.length === 0;
      terminal.err(
        isWhole
          ? "No hub has such a skill.\n"
          : "No such skill was found, but not every hub answered.\n",
      );
    }
  }
  for (const problem of found.problems) terminal.err(`haft: ${visibleText(problem)}\n`);
  return found.skills.length === 0 ? exitCodes.failed : exitCodes.ok;
}

function searchLine(
  { id, description = "", source, installs, kind }: HubSkill,
  width: number,
): string {
  const marks = [
    ...(source === undefined ? [] : [source]),
    ...(installs === undefined ? [] : [`${installs} installations`]),
    ...(kind === "skill" ? [] : ["an MCP server"]),
  ];
  return visibleText(`${id.padEnd(width)}  ${description}  (${marks.join("; ")})`);
}

/** `haft skills add`: shows a skill of a hub, asks, and installs it. */
export async function add({
  kit,
  name = "",
  scope = "user",
  values,
  terminal,
}: AskedHubs): Promise<ExitCode> {
  const review = await kit.skills.review({ id: name, scope });
  return await offer(review, { kit, scope, values, terminal });
}

async function offer(
  review: Awaited<ReturnType<Kit["skills"]["review"]>>,
  {
    kit,
    scope,
    values,
    terminal,
  }: Omit<AskedHubs, "name" | "scope"> & { scope: "user" | "project" },
): Promise<ExitCode> {
  const isTrusted = async (): Promise<boolean> => (await kit.workspace.trust()).trusted;
  return await offerReview(review, { what: "skill", scope, values, terminal, isTrusted });
}

/** `haft skills update`: installs the present version of one skill, or of all. */
export async function update({ kit, name, scope, values, terminal }: AskedHubs): Promise<ExitCode> {
  const scopes = scope === undefined ? (["user", "project"] as const) : [scope];
  let code: ExitCode = exitCodes.ok;
  let count = 0;
  for (const each of scopes) {
    const all = await kit.skills.installed({ scope: each });
    for (const skill of all.filter((one) => name === undefined || one.name === name)) {
      count += 1;
      const one = await updateOne(skill, { kit, scope: each, values, terminal });
      if (one !== exitCodes.ok) code = one;
    }
  }
  if (count > 0) return code;
  const what = name === undefined ? "No skill" : `No skill ${JSON.stringify(name)}`;
  terminal.err(`haft: ${visibleText(what)} from a hub is installed.\n`);
  return exitCodes.failed;
}

async function updateOne(
  { id, name }: InstalledSkill,
  asked: Omit<AskedHubs, "name" | "scope"> & { scope: "user" | "project" },
): Promise<ExitCode> {
  const review = await asked.kit.skills.review({ id, scope: asked.scope });
  if (review.name === name) return await offer(review, asked);
  const shown = visibleText(`${name} is now named ${review.name}; it was not updated.`);
  asked.terminal.err(`haft: ${shown}\n`);
  return exitCodes.failed;
}

/** `haft skills remove`: removes a skill that a hub installed. */
export async function remove({
  kit,
  name = "",
  scope = "user",
  values,
  terminal,
}: AskedHubs): Promise<ExitCode> {
  await kit.skills.remove(name, { scope });
  if (values.json === true) terminal.out(`${JSON.stringify({ removed: name, scope })}\n`);
  else terminal.out(`${visibleText(name)} is removed.\n`);
  return exitCodes.ok;
}
