import {
  ToolError,
  type HostResponse,
  type PageRequest,
  type WebMeans,
  type WebPage,
} from "../../core/index.ts";
import { isLocalHost, plainHost, visibleText } from "../../text/index.ts";
import { discard, retryWaitMs } from "../retry-after.ts";
import { HostPace } from "./host-pace.ts";
import { PageCache } from "./page-cache.ts";
import { mediaTypeOf, pageText } from "./page-text.ts";
import { webTarget } from "./page-url.ts";
import { maxRobotsChars, robotsAllow } from "./robots.ts";

/** Decoded bytes of a page; the rest of a text is left out, and longer documents are refused. */
const maxBytes = 5_000_000;

/** Redirects within a host. */
const maxRedirects = 10;

/** Characters of an error page that are shown. */
const maxErrorChars = 500;

/** Seconds after which a robots.txt is fetched again, and for which a host without one is not asked again. */
const robotsMs = 3_600_000;

const headers = {
  accept:
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.5",
  "user-agent": "haft",
} as const;

/** Fetches pages with a cache, a limit for each host, and what servers ask for. */
export class PageReader {
  readonly #cache = new PageCache();
  readonly #pace = new HostPace();
  readonly #robots = new Map<string, { readonly text: string; readonly until: number }>();

  async read(request: PageRequest, means: WebMeans): Promise<WebPage> {
    const { url } = webTarget(request.url);
    const key = `${request.raw ? "raw" : "text"} ${url}`;
    const cached = this.#cache.get(key, means.clock.now());
    if (cached !== undefined)
      return cached.kind === "redirect" ? cached : { ...cached, isCached: true };
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const signal = AbortSignal.any([means.signal, timeout]);
    try {
      const page = await this.#fetched(url, { ...means, signal }, request);
      this.#cache.add(key, page, means.clock.now());
      return page;
    } catch (error) {
      if (!timeout.aborted || means.signal.aborted) throw error;
      const seconds = request.timeoutMs / 1000;
      throw new ToolError(
        "TIMEOUT",
        `${new URL(url).host} did not send the page within ${seconds} s.`,
        {
          hint: "Try again with a longer timeout (at most 120), or use another page.",
          cause: error,
        },
      );
    }
  }

  async #fetched(start: string, means: WebMeans, { raw }: PageRequest): Promise<WebPage> {
    let url = new URL(start);
    for (let hop = 0; ; hop += 1) {
      await this.#requireRobots(url, means);
      const response = await this.#request(url, means);
      const target = redirectOf(response, url);
      if (target === undefined) return await this.#page(response, url, { means, raw });
      await startOf(response);
      if (!isSameHost(target, url)) return { kind: "redirect", url: url.href, target: target.href };
      if (hop === maxRedirects) {
        throw new ToolError("UNAVAILABLE", `${start} redirects more than ${maxRedirects} times.`, {
          hint: "Use the final address of the page.",
          retryable: false,
        });
      }
      url = new URL(webTarget(target.href).url);
    }
  }

  async #request(url: URL, { net, clock, signal }: WebMeans): Promise<HostResponse> {
    if (!isLocalHost(url.hostname)) this.#pace.count(url.host, clock);
    const response = await net.fetch({ url: url.href, headers }, { signal });
    const waitMs = retryWaitMs(response, clock.now());
    if (waitMs === undefined) return response;
    await discard(response);
    await clock.sleep(waitMs, { signal });
    return await net.fetch({ url: url.href, headers }, { signal });
  }

  async #page(
    response: HostResponse,
    url: URL,
    { means, raw }: { readonly means: WebMeans; readonly raw: boolean },
  ): Promise<WebPage> {
    const contentType = response.headers["content-type"] ?? "";
    if (response.status < 200 || response.status > 299) {
      throw await this.#failure(response, { url, contentType, raw: false }, means);
    }
    const { bytes, isCut } = await startOf(response, maxBytes);
    const mediaType = mediaTypeOf(contentType, bytes);
    const found = await pageText({ url: url.href, bytes, contentType, raw }, means.decode);
    if (found !== undefined) {
      const notes = isCut ? ["Only its first 5 MB were read.", ...found.notes] : found.notes;
      return { ...found, kind: "text", url: url.href, mediaType, notes, isCached: false };
    }
    if (isCut) {
      throw new ToolError("TOO_LARGE", `${url.href} is larger than 5 MB.`, {
        hint: "Download it with a command, such as curl, and read it from the file.",
        data: { maxBytes },
      });
    }
    return { kind: "bytes", url: url.href, mediaType, bytes, isCached: false };
  }

  async #failure(
    response: HostResponse,
    {
      url,
      contentType,
      raw,
    }: { readonly url: URL; readonly contentType: string; readonly raw: boolean },
    means: WebMeans,
  ): Promise<ToolError> {
    const { status } = response;
    const { bytes } = await startOf(response, 65_536);
    const found = await pageText({ url: url.href, bytes, contentType, raw }, means.decode).catch(
      () => undefined,
    );
    const start = (found?.text ?? "").replaceAll(/\s+/gu, " ").trim().slice(0, maxErrorChars);
    const said = start === "" ? "" : ` It begins: ${visibleText(start)}`;
    const waitMs =
      status === 429 || status === 503
        ? this.#pace.leave(url.host, response.headers["retry-after"], means.clock)
        : undefined;
    const isTemporary = status === 429 || status >= 500;
    return new ToolError(
      status === 404 || status === 410 ? "NOT_FOUND" : "UNAVAILABLE",
      `${url.href} answered with status ${status}.${said}`,
      { hint: hintFor(status, waitMs), retryable: isTemporary, data: { status, url: url.href } },
    );
  }

  /** Throws PERMISSION_DENIED if the robots.txt of the host forbids the page to haft by name. */
  async #requireRobots(url: URL, means: WebMeans): Promise<void> {
    if (isLocalHost(url.hostname) || url.pathname === "/robots.txt") return;
    const now = means.clock.now();
    const known = this.#robots.get(url.origin);
    const text =
      known !== undefined && known.until > now ? known.text : await this.#robotsOf(url, means);
    if (robotsAllow(text, `${url.pathname}${url.search}`)) return;
    throw new ToolError(
      "PERMISSION_DENIED",
      `The robots.txt of ${url.host} forbids this page to haft.`,
      {
        hint: "Use another page.",
      },
    );
  }

  async #robotsOf(url: URL, means: WebMeans): Promise<string> {
    const robots = new URL("/robots.txt", url);
    let text = "";
    try {
      const response = await means.net.fetch(
        { url: robots.href, headers },
        { signal: AbortSignal.any([means.signal, AbortSignal.timeout(5000)]) },
      );
      const { bytes } = await startOf(response, maxRobotsChars);
      if (response.status === 200) text = new TextDecoder().decode(bytes);
    } catch (error) {
      // A host that must not be reached is not reached for its robots.txt either; without one, all is allowed.
      if (ToolError.is(error) && error.code === "PERMISSION_DENIED") throw error;
      if (means.signal.aborted) throw error;
    }
    if (this.#robots.size > 500) this.#robots.clear();
    this.#robots.set(url.origin, { text, until: means.clock.now() + robotsMs });
    return text;
  }
}

function redirectOf({ status, headers: sent }: HostResponse, url: URL): URL | undefined {
  const { location } = sent;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  if (URL.canParse(location, url.href)) return new URL(location, url);
  throw new ToolError("UNAVAILABLE", `${url.href} redirects to an address that is not valid.`, {
    hint: "Use another page.",
    retryable: false,
  });
}

/** Whether a redirect stays on the host; from http to https it does. */
function isSameHost(target: URL, url: URL): boolean {
  if (target.protocol !== "http:" && target.protocol !== "https:") return false;
  if (plainHost(target.hostname) !== plainHost(url.hostname)) return false;
  return target.port === url.port || webTarget(target.href).port === webTarget(url.href).port;
}

/** Reads the beginning of a body and frees the connection. */
async function startOf(
  { body }: HostResponse,
  limit = 65_536,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size > limit) break;
  }
  const bytes = Buffer.concat(pieces, Math.min(size, limit));
  return { bytes, isCut: size > limit };
}

function hintFor(status: number, waitMs: number | undefined): string {
  if (waitMs !== undefined)
    return `Try again in ${Math.ceil(waitMs / 1000)} s, or use another page.`;
  if (status === 401 || status === 403)
    return "The page needs a login or refuses programs; use another page.";
  if (status === 404 || status === 410) return "Check the address, or search for the page.";
  return status === 429 || status >= 500
    ? "Try again later, or use another page."
    : "Check the address, or use another page.";
}
