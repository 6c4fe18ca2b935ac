import type { ContentPart, ElicitationPort, OnAsk } from "../../../core/index.ts";

/** Text or data that clients can read. */
export interface McpResource {
  /** Address, as in `haft://artifacts/call-1.txt`. */
  readonly uri: string;
  /** Short name. */
  readonly name: string;
  /** Title for users. */
  readonly title?: string;
  /** Content in a sentence. */
  readonly description?: string;
  /** Media type. */
  readonly mimeType?: string;
  /** Size in bytes. */
  readonly size?: number;
}

/** Resources that a list need not name, with `{name}` for each variable part of the address. */
export interface McpResourceTemplate {
  /** Address with variables, as in `haft://sessions/{id}`. */
  readonly uriTemplate: string;
  /** Short name. */
  readonly name: string;
  /** Content in a sentence. */
  readonly description?: string;
  /** Media type. */
  readonly mimeType?: string;
}

/** Content of a resource: text, or data in base64. */
export interface McpResourceContent {
  /** Address of the resource. */
  readonly uri: string;
  /** Media type. */
  readonly mimeType?: string;
  /** Text of the resource. */
  readonly text?: string;
  /** Data in base64. */
  readonly blob?: string;
}

/** Prompt that the user of a client can choose. */
export interface McpPrompt {
  /** Name of the prompt. */
  readonly name: string;
  /** Title for users. */
  readonly title?: string;
  /** Purpose in a sentence. */
  readonly description?: string;
  /** Arguments, which are texts. */
  readonly arguments?: readonly {
    /** Name of the argument. */
    readonly name: string;
    /** Meaning in a sentence. */
    readonly description?: string;
    /** Whether it must be given. */
    readonly required?: boolean;
  }[];
}

/** Messages of a prompt. */
export interface McpPromptText {
  /** Purpose in a sentence. */
  readonly description?: string;
  /** Messages, in order. */
  readonly messages: readonly {
    /** Speaker. */
    readonly role: "user" | "assistant";
    /** One part of content. */
    readonly content: ContentPart;
  }[];
}

/** Use of a prompt. */
export interface McpPromptRequest {
  /** Name of the prompt. */
  readonly name: string;
  /** Its arguments. */
  readonly arguments: Readonly<Record<string, string>>;
  /** The client, which can be asked questions. */
  readonly client: ElicitationPort;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
  /** Session of the server; undefined outside one. */
  readonly sessionId: string | undefined;
  /** Asks the user about what the prompt inserts; undefined where only the toolkit can. */
  readonly onAsk?: OnAsk | undefined;
}

/** Skill that clients can read (SEP-2640). */
export interface McpSkill {
  /** Address of its SKILL.md, as in `skill://release/SKILL.md`. */
  readonly uri: string;
  /** Fields of SKILL.md, as they are. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Every file of the skill. */
  readonly resources: readonly {
    /** Address of the file. */
    readonly uri: string;
    /** `sha256:` and the hash of its bytes. */
    readonly digest: string;
    /** Length in bytes. */
    readonly size: number;
  }[];
}

/**
 * Resources and prompts that a server offers besides its tools. What a source reads must be safe for a model to see:
 * bounded, without secrets, of this workspace only.
 */
export interface McpLibrary {
  /** Lists the resources. */
  resources(): Promise<readonly McpResource[]>;
  /** Templates of resources. */
  readonly templates: readonly McpResourceTemplate[];
  /** Reads a resource; undefined if there is none at the address. */
  read(uri: string): Promise<readonly McpResourceContent[] | undefined>;
  /** Lists the skills, whose files are read as resources. Absent: there are none. */
  skills?(): Promise<readonly McpSkill[]>;
  /** Calls back when a resource has changed, until the returned function is called. Absent: none changes. */
  watch?(uri: string, onChange: () => void): () => void;
  /** Lists the prompts. */
  prompts(): Promise<readonly McpPrompt[]>;
  /** Returns the messages of a prompt; undefined if there is none of this name. */
  prompt(request: McpPromptRequest): Promise<McpPromptText | undefined>;
  /** Values of a variable of a template, or of an argument of a prompt, that begin with a text. */
  complete(
    of: { readonly template: string } | { readonly prompt: string },
    variable: string,
    start: string,
  ): Promise<readonly string[]>;
}
