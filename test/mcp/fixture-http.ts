// The fixture tools over streamable HTTP, in both eras, without a token:
// `node test/mcp/fixture-http.ts` prints its address.
import { serveMcpHttp } from "../../src/server/index.ts";
import { fixtureOptions } from "./fixture-kit.ts";
import { registryKit } from "./registry-kit.ts";
import { tokenProxy } from "./token-proxy.ts";

const { url, token } = await serveMcpHttp(await registryKit({ pauseMs: 50 }), fixtureOptions);
const proxy = await tokenProxy({ url: `${url}/mcp`, token });
process.stdout.write(`${proxy.url}\n`);
