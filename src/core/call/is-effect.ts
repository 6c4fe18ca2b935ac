import type { Effect } from "./effects.ts";

/** Whether a value has the whole shape of an effect: a tool may come from where no compiler looked. */
export function isEffect(value: unknown): value is Effect {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  switch (value.kind) {
    case "read":
      return isPlace(value);
    case "write":
      return (
        isPlace(value) &&
        "change" in value &&
        changes.has(value.change) &&
        isPart(Reflect.get(value, "part"))
      );
    case "execute":
      return (
        hasList(value, "argv") &&
        hasList(value, "assigns") &&
        hasList(value, "via") &&
        "consequences" in value &&
        (value.consequences === "listed" || value.consequences === "open") &&
        "span" in value &&
        typeof value.span === "object" &&
        value.span !== null &&
        isWorkplace(Reflect.get(value, "worksIn")) &&
        hosts.has(Reflect.get(value, "hosts")) &&
        accesses.has(Reflect.get(value, "access"))
      );
    case "connect":
      return hasText(value, "host") && reaches.has(Reflect.get(value, "reach"));
    case "delegate":
      return hasText(value, "agent") && targets.has(Reflect.get(value, "target"));
    case "interact":
      return true;
    case "unknown":
      return hasText(value, "because") && hasText(value, "origin");
    default:
      return false;
  }
}

const accesses: ReadonlySet<unknown> = new Set([undefined, "declared"]);
const hosts: ReadonlySet<unknown> = new Set([undefined, "named", "unknown"]);
const reaches: ReadonlySet<unknown> = new Set([undefined, "public"]);
const targets: ReadonlySet<unknown> = new Set([undefined, "agent", "session"]);
const changes: ReadonlySet<unknown> = new Set(["create", "modify", "delete", "any"]);

function isPlace(value: object): boolean {
  return (
    hasText(value, "path") && "scope" in value && (value.scope === "file" || value.scope === "tree")
  );
}

function isPart(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== "object" || value === null) return false;
  return hasText(value, "pattern") && changes.has(Reflect.get(value, "change"));
}

function isWorkplace(value: unknown): boolean {
  return value === undefined || value === "unknown" || Array.isArray(value);
}

function hasText(value: object, key: string): boolean {
  return typeof Reflect.get(value, key) === "string";
}

function hasList(value: object, key: string): boolean {
  return Array.isArray(Reflect.get(value, key));
}
