import { ToolError, type Call, type CreatedDefinition, type Outcome } from "../../core/index.ts";
import {
  createdDirectory,
  effectsText,
  exampleDefinition,
  isExpected,
  readStored,
  storedNames,
  writeStored,
} from "../../created/index.ts";
import { createdScope } from "./kit-created.ts";
import type {
  CreatedKitParts,
  CreatedToolCheck,
  CreatedToolInfo,
  KitCreatedTools,
} from "./lazy-created.ts";

/** Created tools of a workspace, read from their files. */
export function createdList(
  { host, place: { workspace }, registry }: CreatedKitParts,
  call: (call: Call) => Promise<Outcome>,
): KitCreatedTools {
  const isOffered = (name: string): boolean => {
    const holder = registry.resolve(name);
    return holder?.name === name && holder.source.id === createdScope;
  };
  const infoOf = async (name: string): Promise<CreatedToolInfo> => {
    const { definition, fault } = await readStored(workspace, name, host);
    const directory = `${workspace}/${createdDirectory}/${name}`;
    if (definition === undefined) return { name, directory, problem: fault?.message ?? "" };
    const about = {
      name,
      directory,
      description: definition.description,
      effects: effectsText(definition),
    };
    return isOffered(name) ? about : { ...about, problem: "needs trust" };
  };
  return {
    async list() {
      const names = await storedNames(workspace, host);
      return await Promise.all(names.map(infoOf));
    },
    async test(name) {
      const definition = await trustedDefinition(name);
      const checks: CreatedToolCheck[] = [];
      for (const { input, expect } of definition.examples) {
        const outcome = await call({ name, input });
        const passed = outcome.status === "ok" && isExpected(outcome.text, { input, expect });
        checks.push({ input, text: outcome.text, passed });
      }
      return checks;
    },
    async scaffold(name, language = "javascript") {
      if ((await storedNames(workspace, host)).includes(name) || registry.resolve(name)) {
        throw new ToolError("ALREADY_EXISTS", `There is a tool ${name} already.`, {
          hint: "Choose another name, or edit its files.",
        });
      }
      const written = await writeStored(workspace, exampleDefinition(name, language), host);
      return written.map(({ path }) => path);
    },
  };

  async function trustedDefinition(name: string): Promise<CreatedDefinition> {
    if (!(await storedNames(workspace, host)).includes(name)) {
      throw new ToolError("NOT_FOUND", `There is no tool ${name} in ${createdDirectory}.`, {
        hint: `haft tools new ${name} writes one.`,
      });
    }
    const { definition, fault } = await readStored(workspace, name, host);
    if (definition === undefined) throw fault ?? new TypeError(`${name} cannot be read.`);
    if (isOffered(name)) return definition;
    throw new ToolError(
      "PERMISSION_DENIED",
      `The tool ${name} is not trusted, so it was not run.`,
      {
        hint: "Read its files; if they are yours, haft trust add enables them.",
      },
    );
  }
}
