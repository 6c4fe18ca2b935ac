import { ToolError } from "../../core/index.ts";

/** The error of a skill or command whose file has a fault. */
export function notUsable(
  what: string,
  {
    file,
    line,
    message,
  }: { readonly file: string; readonly line?: number; readonly message: string },
): ToolError {
  const place = line === undefined ? file : `${file}:${line}`;
  const at = message.includes(file) ? "" : ` (${place})`;
  return new ToolError("UNAVAILABLE", `${what} cannot be used${at}: ${message}`, {
    hint: "The user can correct the file; haft config check names all of its problems.",
  });
}
