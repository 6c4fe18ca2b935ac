import type { IncomingMessage, ServerResponse } from "node:http";
import { pageServer, type PageServer } from "./page-server.ts";

/** Fake of all search services, with its next answer. */
export interface FakeSearch {
  readonly server: PageServer;
  /** Bodies and addresses of the requests. */
  readonly asked: { readonly path: string; readonly body: unknown; readonly key: string }[];
  /** Replaces the answer of every service. */
  answer:
    | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
    | undefined;
}

const results = [
  { title: "The <b>first</b> page", url: "https://nodejs.org/api/fs.html", text: "About files." },
  { title: "The second page", url: "https://sub.example.org/x", text: "About more." },
  { title: "A file", url: "file:///etc/passwd", text: "Not of the web." },
];

/** Answers of each service in its own form, as its documentation shows it. */
const bodies: Readonly<Record<string, unknown>> = {
  "/search": {
    query: "x",
    requestId: "1",
    response_time: 1,
    images: [],
    results: results.map(({ title, url, text }) => ({
      id: url,
      title,
      url,
      content: text,
      highlights: [text],
      text,
      score: 0.9,
      published_date: "2026-01-02",
      publishedDate: "2026-01-02",
      author: null,
    })),
  },
  "/": {
    code: 200,
    data: results.map(({ title, url, text }) => ({
      title,
      url,
      description: text,
      date: "2026-01-02",
    })),
  },
  "/res/v1/web/search": {
    type: "search",
    web: {
      results: results.map(({ title, url, text }) => ({
        title,
        url,
        description: text,
        age: "2026-01-02",
      })),
    },
  },
  "/customsearch/v1": {
    searchInformation: { totalResults: "2" },
    items: results.map(({ title, url, text }) => ({ title, link: url, snippet: text })),
  },
};

export async function fakeSearch(): Promise<FakeSearch> {
  const asked: { path: string; body: unknown; key: string }[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ""] = (request.url ?? "").split("?");
    let text = "";
    for await (const piece of request) text += String(piece);
    const key = [
      request.headers.authorization,
      request.headers["x-api-key"],
      request.headers["x-subscription-token"],
      request.headers["x-goog-api-key"],
    ].find((header) => header !== undefined);
    asked.push({
      path: request.url ?? "",
      body: text === "" ? undefined : JSON.parse(text),
      key: String(key),
    });
    const { answer } = fake;
    response.writeHead(answer?.status ?? 200, {
      "content-type": "application/json",
      "x-ratelimit-remaining": "7",
      "x-ratelimit-limit": "100",
      ...answer?.headers,
    });
    response.end(answer?.body ?? JSON.stringify(bodies[path]));
  };
  const pages = Object.fromEntries(
    Object.keys(bodies).map((path) => [
      path,
      (request: IncomingMessage, response: ServerResponse) => {
        handle(request, response).catch(() => response.destroy());
      },
    ]),
  );
  const fake: FakeSearch = { server: await pageServer(pages), asked, answer: undefined };
  return fake;
}
