import type { Effect } from "../call/effects.ts";
import type { JsonSchema } from "../tool/json.ts";
import type { EffectContext, ToolContext, ToolResult } from "../tool/tool.ts";
import { serviceToken } from "./service-token.ts";

/** An effect that every call of a created tool has. Paths and hosts may contain `{name}` for a property of the input. */
export type DeclaredEffect =
  | {
      readonly kind: "read" | "write";
      /** Absolute, or relative to the working directory. */
      readonly path: string;
      /** `tree` includes everything below a directory. Default: `file`. */
      readonly scope?: "file" | "tree" | undefined;
    }
  | {
      readonly kind: "connect";
      /** Name of a host, or a property that contains a URL. */
      readonly host: string;
      /** Port. Default: 443, or that of the URL. */
      readonly port?: number | undefined;
    };

/** An input for which a created tool is run before the user is asked about it. */
export interface ToolExample {
  /** Input of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Result that the call must have. */
  readonly expect?: unknown;
}

/** A tool that a model or the user wrote. */
export interface CreatedDefinition {
  /** Version of this format. Default: 1. */
  readonly version?: number | undefined;
  /** Name of the tool. */
  readonly name: string;
  /** Description for the model. */
  readonly description: string;
  /** Schema of the input, an object. */
  readonly input: JsonSchema;
  /** Kinds of effects that a call may have. */
  readonly touches: readonly ("read" | "write" | "connect")[];
  /** The effects, at least one of each kind. */
  readonly effects?: readonly DeclaredEffect[] | undefined;
  /** Language of the body. */
  readonly language: "javascript" | "shell";
  /** Program of the tool. */
  readonly body: string;
  /** Inputs that it is tried with. */
  readonly examples: readonly ToolExample[];
  /** Milliseconds for one call. */
  readonly timeout_ms?: number | undefined;
}

/** A definition whose effects are not checked yet. */
export interface GivenTool extends Omit<CreatedDefinition, "effects"> {
  /** Fields of a `DeclaredEffect`. */
  readonly effects?:
    | readonly {
        readonly kind: "read" | "write" | "connect";
        readonly path?: string | undefined;
        readonly scope?: "file" | "tree" | undefined;
        readonly host?: string | undefined;
        readonly port?: number | undefined;
      }[]
    | undefined;
}

/** Adds tools to a kit while it runs. */
export interface CreatedTools {
  /** Lists the effects of trying a tool with its examples. */
  effects(definition: GivenTool, context: EffectContext): Promise<readonly Effect[]>;
  /** Tries a tool, shows it to the user and adds it after a yes. */
  create(definition: GivenTool, context: ToolContext): Promise<ToolResult>;
}

/** Token of the service that adds tools while a kit runs. */
export const createdTools = serviceToken<CreatedTools>("createdTools");
