import path from "node:path";

/** Session of the run that is killed. */
export const killedSession = "killed";

export interface PlannedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Running it twice leaves the same tree. False for a call with an effect outside the workspace. */
  readonly mayRepeat: boolean;
}

/** Number of planned calls. */
const count = 40;

/** Files, commands, background commands, and lines that are published outside the workspace. */
export function planOf(folder: string): readonly PlannedCall[] {
  const outside = path.join(folder, "outside/log.txt");
  return Array.from({ length: count }, (_, n): PlannedCall => {
    switch (n % 8) {
      case 0:
      case 1:
      case 2:
        return {
          name: "Write",
          input: { file_path: `f${n}.txt`, content: `${n}\n` },
          mayRepeat: true,
        };
      case 3:
        return { name: "Read", input: { file_path: `f${n - 1}.txt` }, mayRepeat: true };
      case 4:
        return { name: "Bash", input: { command: `printf ${n} > b${n}.txt` }, mayRepeat: true };
      case 5: {
        const command = `sleep 0.05; printf ${n} > bg${n}.txt`;
        return { name: "Bash", input: { command, run_in_background: true }, mayRepeat: true };
      }
      case 6:
        return { name: "Bash", input: { command: `echo ${n} >> ${outside}` }, mayRepeat: false };
      default:
        return { name: "Publish", input: { line: String(n) }, mayRepeat: false };
    }
  });
}

/** Files of the workspace after the plan, with their content. */
export function plannedTree(): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (let n = 0; n < count; n += 1) {
    if (n % 8 < 3) tree[`f${n}.txt`] = `${n}\n`;
    if (n % 8 === 4) tree[`b${n}.txt`] = String(n);
    if (n % 8 === 5) tree[`bg${n}.txt`] = String(n);
  }
  return tree;
}

/** Lines that are published, each once. */
export function plannedLines(): readonly string[] {
  return Array.from({ length: count }, (_, n) => n)
    .filter((n) => n % 8 > 5)
    .map(String);
}
