// The client that the conformance suite starts: `node test/mcp/fixture-client.ts URL`. Uses the server as a session would,
// with a user who logs in where that is needed and takes the values that a form suggests.
import { mkdtempSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit, ToolError, type Kit } from "../../src/index.ts";

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context: unknown = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
/** Document that the suite gives to clients which are described at an address. */
const clientMetadataUrl = "https://conformance-test.local/client-metadata.json";
/** Logins of one run, after which a server that wants more is given up. */
const maxLogins = 3;

const folder = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-conformance-"));
const workspace = path.join(folder, "work");
mkdirSync(workspace);
process.env["HOME"] = folder;

const { client_id: clientId, client_secret: clientSecret, issuer } = recordOf(context);
const kit = await createToolkit({
  workspace,
  dataDirectory: path.join(folder, "data"),
  sessions: "none",
  settings: {
    mcpServers: { s: { url, oauth: { clientId, clientSecret, issuer, clientMetadataUrl } } },
  },
  rules: { allow: ["mcp__s"] },
  onAsk: async ({ options = [] }) => {
    const [first] = options;
    return first === undefined
      ? { kind: "answer", choices: [], text: "x" }
      : { kind: "answer", choices: [first.label] };
  },
});
let logins = 0;
try {
  await kit.mcp.check("s");
  while (isClosed() && (await logIn())) await kit.mcp.check("s");
  for (const { name, input } of await calls()) {
    let outcome = await kit.call({ name, input });
    while (isClosed() && (await logIn())) outcome = await kit.call({ name, input });
    process.stderr.write(`${name}: ${outcome.status} ${outcome.text.slice(0, 300)}\n`);
  }
  if (isClosed()) process.exitCode = 1;
} finally {
  await kit.dispose();
  rmSync(folder, { recursive: true, force: true });
}

function isClosed(): boolean {
  return kit.mcp.list()[0]?.status === "needs_auth";
}

/** False once the user gives up, because logins do not help. */
async function logIn(): Promise<boolean> {
  logins += 1;
  if (logins > maxLogins) return false;
  try {
    await loginAt(kit, undefined);
    return true;
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    return false;
  }
}

/** Logs in; an authorization server of this machine is named, as the hint says. */
async function loginAt(on: Kit, named: string | undefined): Promise<void> {
  try {
    await on.mcp.login("s", {
      opensBrowser: false,
      ...(named === undefined ? {} : { issuer: named }),
      onAddress: (address) => void fetch(address).catch(() => undefined),
    });
  } catch (error) {
    const hint = ToolError.is(error) ? (error.hint ?? "") : "";
    const [, shown] = /--issuer (\S+)$/u.exec(hint) ?? [];
    if (named !== undefined || shown === undefined) throw error;
    await loginAt(on, shown);
  }
}

const noTools: Awaited<ReturnType<Kit["mcp"]["tools"]>> = [];

interface FixtureCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The calls that the suite wants, otherwise one of each tool. */
async function calls(): Promise<readonly FixtureCall[]> {
  const known = await kit.mcp.tools("s").catch(() => noTools);
  const { toolCalls } = recordOf(context);
  const wanted = Array.isArray(toolCalls) ? toolCalls.map(recordOf) : [];
  const found = known.map(async ({ name, offeredAs }): Promise<readonly FixtureCall[]> => {
    const given = wanted.filter((each) => each["name"] === name);
    if (given.length > 0) {
      return given.map((each) => ({ name: offeredAs, input: recordOf(each["arguments"]) }));
    }
    const listing = await kit.registry.resolve(offeredAs)?.listing();
    return [{ name: offeredAs, input: sampleOf(recordOf(listing)["inputSchema"]) }];
  });
  return (await Promise.all(found)).flat();
}

/** Input with every required property. */
function sampleOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties, required } = recordOf(schema);
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(
    names.map((name) => {
      const { type } = recordOf(recordOf(properties)[name]);
      const value = type === "string" ? "x" : type === "boolean" ? true : 1;
      return [name, value];
    }),
  );
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

process.stderr.write(`${scenario}: ${logins} logins\n`);
