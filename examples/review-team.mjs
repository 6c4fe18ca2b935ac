/* oxlint-disable no-console -- a program for the terminal */
// Two workers write a file each, at the same time, and a reviewer reads what they wrote. The model is scripted, so that
// no key is needed: node examples/review-team.mjs DIRECTORY
import { readFile } from "node:fs/promises";
import { createToolkit } from "haft";
import { parseScript, scriptedModel } from "haft/agent";

const file = new URL("review-team.script.json", import.meta.url);
const script = await parseScript(await readFile(file, "utf8"), file.pathname);
const kit = await createToolkit({
  workspace: process.argv[2] ?? ".",
  mode: "acceptEdits",
  model: scriptedModel(script),
});
const report = ({ description, status, calls, text }) =>
  console.log(`${description}: ${status}, ${calls} call. ${text}`);

const tasks = ["Write one", "Write two"];
const workers = await Promise.all(tasks.map((prompt) => kit.agents.start({ prompt })));
workers.forEach(report);
report(await kit.agents.start({ prompt: "Review the files", tools: ["Read", "Grep"] }));
await kit.dispose();
