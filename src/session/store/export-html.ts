import { partText, type ContentPart } from "../../core/index.ts";
import type { AssistantPart, Message, ToolResultPart } from "../messages/messages.ts";
import { changedTexts, type ExportedSession, type TextChange } from "./exported-session.ts";
import { messageFrom } from "./stored-message.ts";
import type { SessionLogEntry } from "./session-store.ts";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font:14px/1.45 ui-monospace,monospace}
section{border-left:4px solid #999;padding:.25rem 1rem;margin:1rem 0}
.user{border-color:#2563eb}.assistant{border-color:#16a34a}.tool{border-color:#a16207}.error{border-color:#dc2626}
h1{font-size:1.4rem}h2{font-size:.85rem;margin:.25rem 0;color:#555}details{margin:.5rem 0}img{max-width:100%}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}h2{color:#aaa}}`;

/** The session as one HTML page that loads nothing and runs nothing. */
export function exportHtml({ info, runs, agents }: ExportedSession, change: TextChange): string {
  const title = escaped(change(info.title));
  const facts = [
    info.sessionId,
    dateOf(info.createdAt),
    ...new Set(runs.map(({ model }) => model)),
    `${info.usage.input} tokens in, ${info.usage.output} out`,
    ...(info.costUsd === undefined ? [] : [`$${info.costUsd.toFixed(4)}`]),
  ];
  const parts = agents.flatMap(({ agentId, entries, damaged }) => [
    ...(agentId === "" ? [] : [`<h1>Agent ${escaped(change(agentId))}</h1>`]),
    ...(damaged === 0 ? [] : [`<p>${damaged} messages could not be read.</p>`]),
    ...entries.map((entry) => entryHtml(entry, change)),
  ]);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p>${facts.map((fact) => escaped(change(fact))).join(" · ")}</p>
${parts.join("\n")}
</body>
</html>
`;
}

function entryHtml({ number, kind, messages }: SessionLogEntry, change: TextChange): string {
  const shown = messages.map((message) => messageHtml(message, String(number), change)).join("\n");
  if (kind === "message") return shown;
  return `<details><summary>Conversation compacted after message ${number}</summary>\n${shown}\n</details>`;
}

function messageHtml(message: Message, number: string, change: TextChange): string {
  const { role } = message;
  const content = messageFrom(role, changedTexts(message.content, change))?.content ?? [];
  const isError = content.some((part) => part.type === "tool-result" && part.isError);
  const parts = content.map(partHtml).join("\n");
  return `<section class="${role}${isError ? " error" : ""}" id="m${number}"><h2>${number} ${role}</h2>\n${parts}\n</section>`;
}

function partHtml(part: ContentPart | AssistantPart | ToolResultPart): string {
  switch (part.type) {
    case "text":
      return `<pre>${escaped(part.text)}</pre>`;
    case "reasoning":
      return details("Reasoning", `<pre>${escaped(part.text)}</pre>`);
    case "tool-call":
      return details(`Call of ${part.name}`, `<pre>${escaped(part.input)}</pre>`);
    case "tool-result":
      return details(
        `Result of ${part.name}${part.isError ? " (error)" : ""}`,
        part.content.map(partHtml).join("\n"),
      );
    case "provider":
      return `<p>[${escaped(`${part.provider} ${part.kind}`)}]</p>`;
    case "image":
      return imageHtml(part);
    case "audio":
    case "resource":
    case "resource_link":
      return `<pre>${escaped(partText(part))}</pre>`;
  }
}

function details(summary: string, content: string): string {
  return `<details><summary>${escaped(summary)}</summary>\n${content}\n</details>`;
}

function imageHtml({ data, mimeType }: Extract<ContentPart, { type: "image" }>): string {
  const isImage = /^image\/[\w.+-]+$/u.test(mimeType) && /^[\w+/=-]*$/u.test(data);
  return isImage
    ? `<img alt="" src="data:${mimeType};base64,${data}">`
    : `<pre>[image ${escaped(mimeType)}]</pre>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A damaged row may have a time that no date has. */
function dateOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "at an unknown time" : date.toISOString();
}
