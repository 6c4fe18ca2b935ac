export { skillHubs } from "./hubs.ts";
export { removeSkill, reviewSkill } from "./install-skill.ts";
export { readSkillLock } from "./skill-lock.ts";
