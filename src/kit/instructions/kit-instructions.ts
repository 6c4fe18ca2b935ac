import type { Host } from "../../core/index.ts";
import type { InstructionFile, Instructions } from "../../workspace/index.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { Place } from "../workspace-context.ts";

/** A file of instructions that runs of a kit get, as part of the system prompt. */
export interface PromptInstruction extends InstructionFile {
  /** Name and text of the part. */
  readonly part: { readonly name: string; readonly text: string };
}

/** Instructions with their parts of the system prompt. */
export interface PromptInstructions extends Instructions {
  /** Files with their parts of the prompt, the most general first. */
  readonly files: readonly PromptInstruction[];
}

/** Instructions of the user and the project: AGENTS.md, CLAUDE.md, and what they import. */
export interface KitInstructions {
  /** Reads the files that apply to every run, the most general first. */
  read(): Promise<PromptInstructions>;
  /**
   * Reads the files of directories from the workspace to a path, except those in `known`: files that were read before.
   * One that was information then and counts now is read again.
   */
  readFor(
    path: string,
    known: readonly Pick<InstructionFile, "path" | "isTrusted">[],
  ): Promise<PromptInstructions>;
}

/** Parts of a kit that its instructions need. */
export interface InstructionParts {
  readonly place: Pick<Place, "workspace" | "recorded" | "anchors" | "boundary" | "trusted">;
  readonly host: Host;
  readonly rules: Pick<RuleBook, "current" | "followLinks">;
}

/** Creates the instructions of a kit that loads settings; the reader is loaded on first use. */
export function kitInstructions(parts: InstructionParts): KitInstructions {
  return {
    async read() {
      const { readInstructions } = await reader();
      return await withParts(await readInstructions(await optionsOf(parts)));
    },
    async readFor(path, known) {
      const { readDirectoryInstructions } = await reader();
      const options = await optionsOf(parts);
      return await withParts(await readDirectoryInstructions(path, { ...options, known }));
    },
  };
}

const reader = async () => await (await import("../../workspace/index.ts")).instructionReader();

const optionsOf = async (parts: InstructionParts) =>
  await (await import("./instruction-options.ts")).instructionOptions(parts);

async function withParts({ files, problems }: Instructions): Promise<PromptInstructions> {
  const { instructionPart } = await reader();
  return { files: files.map((file) => ({ ...file, part: instructionPart(file) })), problems };
}
