import { configureGlobal } from "fast-check";

/**
 * Laws draw what they draw from one seed, so that a test fails by what was changed and by nothing else. HAFT_SEED names
 * another one, a whole number; "random" draws anew in each run, which finds more.
 */
const wanted = process.env["HAFT_SEED"] ?? "20261122";
if (wanted !== "random") configureGlobal({ seed: Number(wanted) });
