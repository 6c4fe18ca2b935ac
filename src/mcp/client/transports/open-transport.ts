import type { Transport } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/index.ts";
import type { ServerConfig } from "../servers/server-config.ts";
import type { ServerPrograms } from "./stdio.ts";

/** A transport that has not started, and the reason for which it ended. */
export interface OpenTransport {
  readonly transport: Transport;
  /** How the connection ended, in words; undefined while it is open or if that is not known. */
  readonly ending: () => string | undefined;
}

export interface TransportParts {
  readonly programs: ServerPrograms;
  readonly onLog: (text: string) => void;
}

/** Opens the transport of a server. */
export async function openTransport(
  { name, address }: Pick<ServerConfig, "name" | "address">,
  { programs, onLog }: TransportParts,
): Promise<OpenTransport> {
  switch (address.kind) {
    case "stdio": {
      const { parseJSONRPCMessage } = await import("@modelcontextprotocol/client");
      const { stdioTransport } = await import("./stdio.ts");
      const transport = stdioTransport({ programs, address, onLog, parse: parseJSONRPCMessage });
      return { transport, ending: transport.ending };
    }
    case "http":
    case "sse":
    case "custom":
      throw new ToolError(
        "UNAVAILABLE",
        `The MCP server ${name} needs a transport that is missing.`,
      );
  }
}
