import { ToolError, type Host, type UserNotification } from "../core/index.ts";

/** Milliseconds that the program of the desktop may take. */
const maxMs = 5000;

/**
 * Shows a notification on the desktop of a host with the program that its system has for this. Resolves to false where
 * there is none, or it fails: a notification is never worth an error.
 */
export async function showOnDesktop(host: Host, notification: UserNotification): Promise<boolean> {
  return await runsOnDesktop(host, commandOf(host, notification));
}

/**
 * Opens an address of the web with the program that the system has for this. Resolves to false where there is none, or
 * it fails; the address must then be shown to the user.
 */
export async function openInBrowser(host: Host, address: string): Promise<boolean> {
  const url = new URL(address);
  // Other schemes start other programs.
  if (url.protocol !== "https:" && url.protocol !== "http:") return false;
  switch (host.info.os) {
    case "linux":
      return await runsOnDesktop(host, ["xdg-open", url.href]);
    case "darwin":
      return await runsOnDesktop(host, ["open", url.href]);
    case "windows":
      return await runsOnDesktop(host, ["rundll32.exe", "url.dll,FileProtocolHandler", url.href]);
  }
}

async function runsOnDesktop(host: Host, argv: readonly string[]): Promise<boolean> {
  if (!host.info.capabilities.processes) return false;
  const id = `desktop-${crypto.randomUUID()}`;
  try {
    await host.proc.start({ id, argv, cwd: host.info.home, limits: { timeoutMs: maxMs } });
    for await (const chunk of host.proc.output(id, 0)) {
      if ("exit" in chunk) return chunk.exit.code === 0;
    }
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
  return false;
}

/** Texts are arguments or data of the script, never part of its code. */
function commandOf({ info }: Host, { title, body }: UserNotification): readonly string[] {
  switch (info.os) {
    case "linux":
      return ["notify-send", "--app-name=haft", "--", title, body];
    case "darwin":
      return ["osascript", "-e", appleScript, "--", title, body];
    case "windows": {
      const [titleText, bodyText] = [title, body].map((text) => base64Of(text));
      const script = `$t='${titleText}';$b='${bodyText}';${powerShellScript}`;
      return ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", script];
    }
  }
}

const appleScript =
  "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";

const powerShellScript = [
  "$d={param($x)[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($x))}",
  "Add-Type -AssemblyName System.Windows.Forms,System.Drawing",
  "$n=New-Object System.Windows.Forms.NotifyIcon",
  "$n.Icon=[System.Drawing.SystemIcons]::Information",
  "$n.Visible=$true",
  "$n.ShowBalloonTip(4000,(& $d $t),(& $d $b),'Info')",
  "Start-Sleep -Seconds 4",
  "$n.Dispose()",
].join(";");

/** Base64 has no character that PowerShell would interpret. */
function base64Of(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
