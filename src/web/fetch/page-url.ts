import { ToolError, type WebTarget } from "../../core/index.ts";
import { isLocalHost, plainHost } from "../../text/index.ts";

/**
 * Address that a page is fetched from: https instead of http, except where the host is not public by its name and may
 * have no certificate. Throws INVALID_INPUT for an address that is not of the web.
 */
export function webTarget(text: string): WebTarget {
  const trimmed = text.trim();
  const written = /^[\w.-]+\.[a-z]{2,}(?:[/:?#]|$)/iu.test(trimmed)
    ? `https://${trimmed}`
    : trimmed;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url?.protocol === "file:") {
    throw new ToolError("INVALID_INPUT", `${text} is a file, not a page of the web.`, {
      hint: 'Read it with Read; format "markdown" converts local HTML.',
    });
  }
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ToolError(
      "INVALID_INPUT",
      `${JSON.stringify(text)} is not an http or https address.`,
      {
        hint: "Use an absolute address that starts with https://.",
      },
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ToolError("INVALID_INPUT", `The address of ${url.host} contains credentials.`, {
      hint: "Leave out the name and password before the host.",
    });
  }
  const isLocal = isLocalHost(url.hostname);
  if (url.protocol === "http:" && !isLocal) url.protocol = "https:";
  url.hash = "";
  return {
    url: url.href,
    host: plainHost(url.hostname),
    port: portOf(url),
    isLocal,
  };
}

export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "http:" ? 80 : 443;
}
