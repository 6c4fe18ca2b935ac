import type { Model, ModelRequest } from "../../src/agent/index.ts";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface StoredKits {
  /** Path in the directory of the test. */
  readonly at: (name: string) => string;
  /** Opens a kit that stores its sessions in `data`, with `work` as its workspace. */
  readonly open: (options?: ToolkitOptions) => Promise<Kit>;
}

export function storedKits(name: string): StoredKits {
  const at = temporaryFolder(name);
  return {
    at,
    async open(options = {}) {
      const { mkdir } = await import("node:fs/promises");
      await mkdir(at("work"), { recursive: true });
      return await createToolkit({ workspace: at("work"), dataDirectory: at("data"), ...options });
    },
  };
}

export interface Asked {
  readonly model: Model;
  readonly requests: ModelRequest[];
}

/** A model that says these texts, one for each request. */
export function saying(...texts: readonly string[]): Asked {
  const requests: ModelRequest[] = [];
  return {
    requests,
    model: {
      id: "fake:m",
      async *stream(request) {
        requests.push(request);
        yield { type: "text", text: texts[requests.length - 1] ?? "" };
        yield { type: "finish", reason: "stop" };
      },
    },
  };
}
