import { ToolError, type EffectContext, type ServiceToken } from "../../core/index.ts";

/** A service, or undefined if the kit does not provide it. */
export function optionalService<T>(
  { service }: Pick<EffectContext, "service">,
  token: ServiceToken<T>,
): T | undefined {
  try {
    return service(token);
  } catch (error) {
    if (ToolError.is(error) && error.code === "UNAVAILABLE") return undefined;
    throw error;
  }
}
