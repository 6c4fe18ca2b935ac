import {
  defaultSearchSettings,
  searchSettings,
  type EffectContext,
  type SearchSettings,
} from "../../core/index.ts";
import { optionalService } from "./optional-service.ts";

export function searchSettingsOf(context: Pick<EffectContext, "service">): SearchSettings {
  return optionalService(context, searchSettings) ?? defaultSearchSettings;
}
