// A server over standard streams with the fixture tools: `node test/mcp/fixture-server.ts`.
import { serveStdio } from "../../src/mcp/index.ts";
import { fixtureKit, fixtureOptions } from "./fixture-kit.ts";

await serveStdio(fixtureKit(), fixtureOptions);
