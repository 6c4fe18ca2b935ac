import type {
  DefinitionFormat,
  JsonSchema,
  ModelDefinitionOptions,
  Toolkit,
} from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

/** A tool in no format: what every framework asks for. */
export interface NeutralTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** Tools of a kit with the names and in the schema dialect of a provider. */
export async function neutralTools(
  kit: Pick<Toolkit, "definitions">,
  format: DefinitionFormat,
  options: ModelDefinitionOptions,
): Promise<readonly NeutralTool[]> {
  const { tools } = await kit.definitions(format, options);
  return tools.flatMap((definition) => {
    const inner = isRecord(definition["function"]) ? definition["function"] : definition;
    const { name, description } = inner;
    const schema = schemaKeys.map((key) => inner[key]).find((value) => isRecord(value));
    return typeof name === "string" && typeof description === "string" && isRecord(schema)
      ? [{ name, description, inputSchema: schema }]
      : [];
  });
}

const schemaKeys = ["inputSchema", "input_schema", "parameters", "parametersJsonSchema"] as const;
