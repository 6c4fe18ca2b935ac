// A server over standard streams with the fixture tools: `node test/mcp/fixture-server.ts`.
import { serveStdio } from "../../src/mcp/index.ts";
import { fixtureOptions } from "./fixture-kit.ts";
import { registryKit } from "./registry-kit.ts";

await serveStdio(await registryKit(), fixtureOptions);
