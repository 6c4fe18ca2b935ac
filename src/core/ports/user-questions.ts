import type { Mode, QuestionOption } from "../call/decisions.ts";
import { serviceToken } from "./service-token.ts";

/** Something that a tool asks the user while it runs. */
export type UserQuestion =
  | {
      readonly kind: "question";
      readonly question: string;
      /** Choices; without any, the answer is a text. */
      readonly options?: readonly QuestionOption[] | undefined;
      readonly isMultiSelect?: boolean | undefined;
      /** Topic in a word or two. */
      readonly header?: string | undefined;
    }
  | { readonly kind: "plan"; readonly plan: string };

/** Reply of a user to a question of a tool. */
export type UserReply =
  | { readonly kind: "answer"; readonly choices: readonly string[]; readonly text?: string }
  /** The plan may be carried out; it is the changed one where the user changed it. */
  | {
      readonly kind: "approved";
      readonly plan: string;
      readonly isChanged: boolean;
      readonly by: "user" | "hook" | "none";
    }
  | { readonly kind: "refused"; readonly reason?: string }
  /** The asker answers everything by itself, and has made no choice. */
  | { readonly kind: "automatic" };

/** Provided where a user can be asked; tools that only ask are offered only there. */
export const people = serviceToken<true>("people");

/** The mode of the kit that runs the call. */
export interface PlanMode {
  /** Returns the mode that is on. */
  mode(): Mode;
  /** Leaves plan mode for the mode that was on before it, and returns that. */
  leave(): Mode;
}

/** Token of the plan mode. */
export const planMode = serviceToken<PlanMode>("planMode");

/** A short message for a user who may be away. */
export interface UserNotification {
  /** The news in a few words. */
  readonly title: string;
  /** One or two sentences; may be empty. */
  readonly body: string;
}

/** Shows notifications; provided where a user can see them. */
export interface Notifier {
  /** Resolves to whether it was shown. Never rejects. */
  notify(notification: UserNotification): Promise<boolean>;
}

/** Token of the notifier. */
export const notifier = serviceToken<Notifier>("notifier");
