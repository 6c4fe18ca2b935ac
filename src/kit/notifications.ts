import type { HaftEvent, Host, Notifier, UserNotification } from "../core/index.ts";
import type { EventBus } from "../session/index.ts";
import type { NotifyOptions } from "./options/options.ts";

/** Notifications of a kit; undefined where there is no user to notify. */
export function kitNotifier(options: NotifyOptions | undefined, host: Host): Notifier | undefined {
  if (options === undefined) return undefined;
  return {
    async notify(notification) {
      const shown = await Promise.all([
        show(options, notification),
        options.desktop === true ? onDesktop(host, notification) : false,
      ]);
      return shown.includes(true);
    },
  };
}

/** Notifies the user of questions and of ended runs, as far as the options ask for that. */
export function notifyOnEvents(
  bus: Pick<EventBus, "subscribe">,
  notifier: Notifier | undefined,
  { on = [] }: NotifyOptions = {},
): void {
  if (notifier === undefined || on.length === 0) return;
  bus.subscribe((event) => {
    const notification = notificationOf(event, on);
    if (notification !== undefined) void notifier.notify(notification);
  });
}

/** Maximum characters of a text in a notification. */
const maxChars = 200;

function notificationOf(
  event: HaftEvent,
  on: NonNullable<NotifyOptions["on"]>,
): UserNotification | undefined {
  if (event.type === "permission-ask" && on.includes("question")) {
    return { title: "haft asks", body: event.ask.question.slice(0, maxChars) };
  }
  // The end of a sub-agent is news for its parent, not for the user.
  if (event.type === "run-end" && (event.depth ?? 0) === 0 && on.includes("completion")) {
    const title = event.status === "done" ? "haft is done" : `haft stopped: ${event.status}`;
    return { title, body: (event.text.split("\n", 1)[0] ?? "").slice(0, maxChars) };
  }
  return undefined;
}

async function show(options: NotifyOptions, notification: UserNotification): Promise<boolean> {
  if (options.show === undefined) return false;
  try {
    await options.show(notification);
    return true;
  } catch {
    return false;
  }
}

async function onDesktop(host: Host, notification: UserNotification): Promise<boolean> {
  const { showOnDesktop } = await import("../host/index.ts");
  return await showOnDesktop(host, notification).catch(() => false);
}
