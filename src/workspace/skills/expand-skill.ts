/** Values that take the place of variables in a skill. */
export interface SkillValues {
  /** Arguments as they were given. */
  readonly args: string;
  readonly directory: string;
  readonly workspace: string;
  readonly sessionId: string;
}

/**
 * Replaces variables in the text of a skill. A command in it becomes a request to run it, so that the call is judged like
 * any other. Commands are found before variables are replaced, so an argument cannot add one. `\$` is a dollar sign.
 */
export function expandSkill(body: string, values: SkillValues): string {
  const parts: string[] = [];
  let end = 0;
  const commands = /(?<=^|[ \t])!`([^`\n]+)`|^```!\n([^]*?)\n```$/gmu;
  for (const found of body.matchAll(commands)) {
    parts.push(replaced(body.slice(end, found.index), values));
    const command = replaced(found[1] ?? found[2] ?? "", values);
    parts.push(`(Run this with Bash and read its output here: \`${command}\`)`);
    end = found.index + found[0].length;
  }
  parts.push(replaced(body.slice(end), values));
  const text = parts.join("");
  const isUsed = /(?<!\\)\$(?:ARGUMENTS|\d)/u.test(body);
  return isUsed || values.args === "" ? text : `${text.trimEnd()}\n\nArguments: ${values.args}\n`;
}

function replaced(text: string, { args, directory, workspace, sessionId }: SkillValues): string {
  const words = args.split(/\s+/u).filter((word) => word !== "");
  return text.replaceAll(
    /\\\$|\$ARGUMENTS(?:\[(\d{1,3})\])?|\$(\d{1,3})|\$\{(CLAUDE_SKILL_DIR|CLAUDE_PROJECT_DIR|CLAUDE_SESSION_ID)\}/gu,
    (all, ...groups: readonly (string | undefined)[]) => {
      const [index, number, variable] = groups;
      if (all === String.raw`\$`) return "$";
      if (variable === "CLAUDE_SKILL_DIR") return directory;
      if (variable === "CLAUDE_PROJECT_DIR") return workspace;
      if (variable === "CLAUDE_SESSION_ID") return sessionId;
      const at = index ?? number;
      return at === undefined ? args : (words[Number(at)] ?? "");
    },
  );
}
