import { expect, test } from "vitest";
import { defineTool, type Tool } from "../../core/index.ts";
import { createRegistry } from "../registry.ts";
import { searchIndex, type SearchDocument } from "./search.ts";
import { searchTerms } from "./search-text.ts";

function tool(name: string, description: string, more: Partial<Tool> = {}): Tool {
  return {
    ...defineTool({
      name,
      description,
      touches: [],
      input: { type: "object" },
      run: () => ({ content: "" }),
    }),
    ...more,
  };
}

const registry = createRegistry();
registry.registerAll([
  tool("Read", "Read a text file. Returns numbered lines.", { tags: ["file"] }),
  tool("Write", "Write a whole file.", { tags: ["file"] }),
  tool("Grep", "Search file contents with a regular expression.", { searchHint: "find text" }),
  tool("WebFetch", "Fetch a page and answer a question about it.", { category: "web" }),
  tool("mcp__github__create_issue", "Create a new issue in a repository.", {
    source: { id: "github", name: "github", kind: "mcp" },
  }),
  tool("mcp__github__list_issues", "List the issues of a repository.", {
    source: { id: "github", name: "github", kind: "mcp" },
    input: {
      type: "object",
      properties: {
        milestone: { type: "string", description: "Only of this release", enum: ["next"] },
      },
    },
  }),
]);

test.for([
  { query: "read a file", first: "Read", because: "the name says it" },
  { query: "please write the files for me", first: "Write", because: "polite words count little" },
  { query: "find text", first: "Grep", because: "the search hint says it" },
  { query: "fetching web pages", first: "WebFetch", because: "other forms of the words" },
  {
    query: "creating issues on github",
    first: "mcp__github__create_issue",
    because: "verb and object",
  },
  { query: "milestone", first: "mcp__github__list_issues", because: "only a parameter says it" },
  {
    query: "release",
    first: "mcp__github__list_issues",
    because: "a parameter's description says it",
  },
  { query: "next", first: "mcp__github__list_issues", because: "a choice says it" },
  { query: "zzzz and so", first: "WebFetch", because: "small words are all that is left" },
  { query: "web", first: "WebFetch", because: "the category says it" },
])("$query finds $first: $because", async ({ query, first }) => {
  const [best] = await registry.search(query);

  expect(best?.name).toBe(first);
});

test("a tool without a name for display is not found by that", async () => {
  expect(await registry.search("undefined")).toEqual([]);
});

const bare = { summary: "", server: "", names: "", hints: "", description: "", parameters: [] };

test("two small words in a row find no tool either", () => {
  const index = searchIndex([
    { ...bare, name: "one", description: "fills a bucket" },
    { ...bare, name: "other", description: "works in the dark" },
  ]);
  expect(index.search("in the bucket", { limit: 10 }).map(({ name }) => name)).toEqual(["one"]);
});

test("naming a whole tool and being answered whole raise a tool", () => {
  const index = searchIndex([
    { ...bare, name: "alpha", description: "alpha" },
    { ...bare, name: "other", description: "alpha" },
    { ...bare, name: "alpha_more", description: "alpha" },
    { ...bare, name: "none", description: "beta" },
  ]);
  const scoresOf = (query: string): Record<string, number> =>
    Object.fromEntries(index.search(query, { limit: 10 }).map(({ name, score }) => [name, score]));

  const whole = scoresOf("alpha");
  const half = scoresOf("alpha unknown");

  expect(Object.keys(whole)).toEqual(["alpha", "alpha_more", "other"]);
  expect((whole["alpha"] ?? 0) / (whole["other"] ?? 0)).toBeCloseTo(2 / 1.2);
  expect((whole["alpha_more"] ?? 0) / (whole["other"] ?? 0)).toBeCloseTo(1.6 / 1.2);
  expect((whole["other"] ?? 0) / (half["other"] ?? 0)).toBeCloseTo(1.2 / 1.1);
});

test("two words that stand together count as one more, but not towards the answer", () => {
  const index = searchIndex([
    { ...bare, name: "pair", description: "open file" },
    { ...bare, name: "apart", description: "file open" },
    { ...bare, name: "none", description: "" },
  ]);

  const [first, second] = index.search("open file", { limit: 10 });

  expect([first?.name, second?.name]).toEqual(["pair", "apart"]);
});

test("results say what they are, best first, no more than wanted", async () => {
  const all = await registry.search("file");

  expect(all.map(({ name }) => name)).toEqual(["Write", "Read", "Grep"]);
  expect(all[1]?.summary).toBe("Read a text file.");
  expect(await registry.search("file", { limit: 1 })).toEqual(all.slice(0, 1));
  expect(all.map(({ score }) => score)).toEqual(
    all.map(({ score }) => score).toSorted((a, b) => b - a),
  );
});

test.for(["", "   ", "!?", "zzzz"])("nothing is found for %j", async (query) => {
  expect(await registry.search(query)).toEqual([]);
});

test("only what is offered is found, also after a change", async () => {
  const changing = createRegistry({
    isHidden: (each, mode) => mode === "plan" && each.name === "Write",
  });
  changing.registerAll([tool("Read", "Files."), tool("Write", "Files.")]);

  const names = async (mode?: "plan"): Promise<string[]> => {
    const found = await changing.search("files", mode === undefined ? {} : { mode });
    return found.map(({ name }) => name);
  };

  expect(await names()).toEqual(["Read", "Write"]);
  expect(await names("plan")).toEqual(["Read"]);
  changing.setEnabled("Read", false);
  expect(await names()).toEqual(["Write"]);
  changing.register(tool("Move", "Files."));
  expect(await names()).toEqual(["Move", "Write"]);
});

test("searching loads no tool: a lazy one is found by its traits", async () => {
  const lazy = createRegistry();
  lazy.register(
    defineTool({
      name: "Later",
      searchHint: "convert currencies",
      touches: [],
      init: () => Promise.reject(new Error("loaded")),
    }),
  );

  expect(await lazy.search("currency")).toMatchObject([
    { name: "Later", summary: "convert currencies" },
  ]);
});

test.for([
  { text: "readFile", terms: ["read", "fil"] },
  { text: "HTTPServer2Go", terms: ["http", "server2", "go"] },
  { text: "mcp__git-hub", terms: ["mcp", "git", "hub"] },
  { text: "creates created creating create", terms: ["creat", "creat", "creat", "creat"] },
  { text: "running stopped queries boxes", terms: ["run", "stop", "query", "box"] },
  { text: "axing used tree", terms: ["axing", "used", "tre"] },
  { text: "status class this bring", terms: ["status", "class", "this", "bring"] },
  { text: "Größe 天気", terms: ["größe", "天気"] },
  { text: "ABCd aBC 2G X1y Ab", terms: ["ab", "cd", "a", "bc", "2", "g", "x1y", "ab"] },
])("$text is read as $terms", ({ text, terms }) => {
  expect(searchTerms(text)).toEqual(terms);
});

const toolNamed = (name: string, description = "", server = ""): SearchDocument => ({
  ...bare,
  name,
  server,
  names: name,
  hints: server,
  description,
});

test.for([
  { query: "github", first: "open_ticket", because: "a tool may write a name as two words" },
  { query: "GitLab", first: "merge", because: "or the query" },
  { query: "picture", first: "resize", because: "another word for the same thing" },
  { query: "tempreature", first: "climate", because: "a typing error" },
  { query: "translator", first: "translate_text", because: "the noun of a verb" },
  { query: "quality of air", first: "airquality", because: "a name may write two words as one" },
])("$query finds $first: $because", ({ query, first }) => {
  const index = searchIndex([
    toolNamed("open_ticket", "Adds a ticket on GitHub."),
    toolNamed("merge", "Joins branches at gitlab."),
    toolNamed("resize", "Makes an image smaller."),
    toolNamed("climate", "Says the temperature."),
    toolNamed("translate_text", "Turns a text into another language."),
    toolNamed("airquality", "Says whether to go outside."),
    toolNamed("audit", "Checks the quality."),
    toolNamed("pump", "Moves air."),
  ]);

  expect(index.search(query, { limit: 5 })[0]?.name).toBe(first);
});

test("each part of a request finds its own tool", () => {
  const index = searchIndex([
    toolNamed("find_flights", "Finds flights between two cities with prices and times."),
    toolNamed("flight_status", "Reports the status of flights between cities."),
    toolNamed("flight_seats", "Shows free seats of flights with prices."),
    toolNamed("play_music", "Plays a song."),
  ]);
  const found = index.search(
    "Find flights with prices between the cities Rome and Oslo. After that play a relaxing song.",
    { limit: 2 },
  );

  expect(found.map(({ name }) => name)).toEqual(["find_flights", "play_music"]);
});

test("a part whose words many tools have finds nothing of its own", () => {
  const index = searchIndex([
    ...Array.from({ length: 60 }, (_, number) =>
      toolNamed(`office_${number}`, "Reads the answer of the last change."),
    ),
    toolNamed("find_flights", "Finds flights between two cities with prices and times."),
    toolNamed("flight_status", "Reports the status of flights between cities."),
  ]);

  const found = index.search("Find flights between Rome and Oslo. Then read the last answer.", {
    limit: 2,
  });

  expect(found.map(({ name }) => name)).toEqual(["find_flights", "flight_status"]);
});

test("a tool of the best tool's server comes before an equal one of another", () => {
  const index = searchIndex([
    toolNamed("alpha_list", "Lists invoices.", "acme"),
    toolNamed("beta_list", "Lists invoices.", "zeta"),
    toolNamed("zeta_invoices", "Lists invoices and sends invoices.", "zeta"),
  ]);

  const names = index.search("invoices of zeta", { limit: 3 }).map(({ name }) => name);
  expect(names.indexOf("beta_list")).toBeLessThan(names.indexOf("alpha_list"));
});

test.for(["readFile HTTPServer2Go", "mcp__git-hub ABCd", "2G aBC X1y", "a1B2c3D", "", "-_ -"])(
  "%s is read the same next to a character beyond ASCII",
  (text) => {
    expect(searchTerms(`${text} 天`)).toEqual([...searchTerms(text), "天"]);
  },
);

test("whether a tool is hidden is asked of the tools that match only", async () => {
  const asked = new Set<string>();
  const ruled = createRegistry({
    isHidden: (each) => {
      asked.add(each.name);
      return each.name === "WriteFile";
    },
  });
  ruled.registerAll([tool("ReadFile", ""), tool("WriteFile", ""), tool("SendMail", "")]);
  asked.clear();

  const found = await ruled.search("file");

  expect(found.map(({ name }) => name)).toEqual(["ReadFile"]);
  expect([...asked].toSorted()).toEqual(["ReadFile", "WriteFile"]);
});

test("a query of 10 kB is answered by its beginning", () => {
  const index = searchIndex([toolNamed("read_file"), toolNamed("send_mail")]);

  const [first] = index.search(`read a file ${"lorem ipsum ".repeat(1000)} mail`, { limit: 2 });
  expect(first?.name).toBe("read_file");
});
