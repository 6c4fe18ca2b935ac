import { mkdirSync, writeFileSync } from "node:fs";
import type { Answer, Ask, Kit, ToolkitOptions } from "../../src/index.ts";
import { kitFolder, type KitFolder } from "./kit-folder.ts";

export interface Asking {
  readonly kit: Kit;
  readonly asked: readonly Ask[];
}

export interface AskingKit extends Pick<KitFolder, "at"> {
  /** A kit whose rules allow the commands, with a person who gives one answer. */
  readonly open: (answer: Answer | undefined, options?: ToolkitOptions) => Promise<Asking>;
}

/** A workspace in which commands may run, and a user who is asked about their changes. */
export function askingKit(): AskingKit {
  const { at, open } = kitFolder(
    "haft-asking-",
    (place) => {
      mkdirSync(place("work/src"), { recursive: true });
      writeFileSync(place("work/a.txt"), "one\n");
    },
    { rules: { allow: ["Bash(python3 *)", "Bash(git *)"] } },
  );
  return {
    at,
    open: async (answer, options = {}) => {
      const asked: Ask[] = [];
      const onAsk = async (ask: Ask): Promise<Answer> => {
        asked.push(ask);
        return answer ?? { kind: "abort" };
      };
      const kit = await open({ ...(answer === undefined ? {} : { onAsk }), ...options });
      return { kit, asked };
    },
  };
}
