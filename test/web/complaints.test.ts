// Complaints about web tools of other programs, one test each.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  backgroundModel,
  type BackgroundModel,
  type HostClock,
  type Services,
} from "../../src/core/index.ts";
import { localNet, type LocalNet } from "../../src/host/net/local-net.ts";
import { createToolkit, type Kit } from "../../src/index.ts";
import { createWeb } from "../../src/web/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { pageServer, sends, type PageServer } from "./page-server.ts";
import { privateListener, type PrivateListener } from "./private-listener.ts";

const at = temporaryFolder("web-complaints");
const facts = ["Ginza: 35 days", "Shibuya: 60 days", "Ueno: 61 days, by time slot"];
const source = `// sdpa_vector.h\n${"  accumulate(o, i); // step\n".repeat(400)}`;
const filler = "<p>It is worth the wait, as everybody says.</p>\n".repeat(200);
/** Knows only the headline, as the model of the complaints. */
const model: BackgroundModel = {
  ask: async () => ({
    text: "Book two months ahead.\n> Ginza: 90 days",
    usage: { input: 1, output: 1 },
  }),
};
const services: Services = {
  get: (token) => (token.id === backgroundModel.id ? (model as never) : undefined),
};
let server: PageServer;
let listener: PrivateListener;
let kit: Kit;
let net: LocalNet;

beforeAll(async () => {
  listener = await privateListener();
  server = await pageServer({
    "/booking": sends(
      "text/html",
      `<title>Booking</title><p>Book two months ahead.</p>${filler}<ul>${facts.map((fact) => `<li>${fact}</li>`).join("")}</ul>`,
    ),
    "/sdpa_vector.h": sends("text/plain", source),
    "/to-private": (_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${listener.port}/secret` }).end();
    },
    "/endless-body": (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    },
  });
  kit = await createToolkit({
    workspace: at(""),
    rules: { allow: [`WebFetch(domain:127.0.0.1:${server.port})`] },
    services,
  });
  net = localNet(async () => ["127.0.0.1"]);
});
beforeEach(() => {
  listener.reached.length = 0;
});
afterAll(async () => {
  net.close();
  await kit.dispose();
  await server.close();
  await listener.close();
});

async function fetched(url: string, input: Readonly<Record<string, unknown>> = {}) {
  return await kit.call({ name: "WebFetch", input: { url, ...input } });
}

test("claude-code#50647: details that the model leaves out can be read, and what it invents is removed", async () => {
  const { text, metadata } = await fetched(`${server.origin}/booking`, { prompt: "When to book?" });
  const read = await kit.call({
    name: "Read",
    input: { file_path: String(metadata?.["fullPage"]) },
  });
  const page = await fetched(`${server.origin}/booking`);

  expect(text).not.toContain("90 days");
  expect(metadata).toMatchObject({ removedQuotes: 1 });
  for (const fact of facts) {
    expect(read.text).toContain(fact);
    expect(page.text).toContain(fact);
  }
});

test("claude-code#59882: the text of a source is returned as it was sent, and no model is asked", async () => {
  const { text } = await fetched(`${server.origin}/sdpa_vector.h`, {
    raw: true,
    prompt: "Return the full text.",
  });

  expect(text).toBe(source);
});

test.each([
  "http://169.254.169.254/latest/meta-data/",
  "http://localhost:9229/",
  "http://127.1:9229/",
])("cline#13494: %s is not fetched without a rule, whatever the mode is", async (url) => {
  await using free = await createToolkit({ workspace: at(""), mode: "bypassPermissions" });

  const outcome = await free.call({ name: "WebFetch", input: { url } });

  expect(outcome.error).toMatchObject({ code: "PERMISSION_DENIED" });
});

test("gemini-cli#24230: a public name that leads to this machine is not fetched", async () => {
  const url = `http://127.0.0.1.nip.io:${listener.port}/`;

  await expect(net.fetch({ url })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect(listener.reached).toEqual([]);
});

test("gemini-cli#29074: a redirect to a private address is shown, not followed", async () => {
  const { text } = await fetched(`${server.origin}/to-private`);

  expect(text).toContain("redirects to another host");
  expect(listener.reached).toEqual([]);
});

test("opencode#36376: a body without end is read up to 5 MB", async () => {
  const clock: HostClock = {
    now: () => 0,
    sleep: async () => undefined,
    timer: () => () => undefined,
  };
  const page = await createWeb().read(
    { url: `${server.origin}/endless-body`, raw: true, timeoutMs: 60_000 },
    {
      net: { fetch: async (request) => await net.fetch(request, { allowsPrivate: true }) },
      clock,
      signal: new AbortController().signal,
      decode: (bytes) => new TextDecoder().decode(bytes),
    },
  );

  expect(page).toMatchObject({ kind: "text", notes: ["Only its first 5 MB were read."] });
});

test.each(["http://[0:0:0:0:0:0:0:1]", "http://[::ffff:127.0.0.1]", "http://[64:ff9b::7f00:1]"])(
  "opencode#42435: %s is private, however it is written",
  async (host) => {
    const url = `${host}:${listener.port}/`;

    await expect(net.fetch({ url })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(listener.reached).toEqual([]);
  },
);
