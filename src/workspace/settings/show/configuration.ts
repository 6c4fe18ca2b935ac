export { checkProject } from "../../check/check-project.ts";
export { setSetting, settingPath } from "./set-setting.ts";
export { defaultEntries, settingEntries } from "./setting-entries.ts";
export { settingsDifference, settingsValues } from "./settings-difference.ts";
