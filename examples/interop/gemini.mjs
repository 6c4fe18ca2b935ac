import { GoogleGenAI } from "@google/genai";
import { createToolkit, toResult } from "haft";

const kit = await createToolkit({ workspace: process.argv[2] ?? ".", mode: "acceptEdits" });
const client = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY });
const contents = [{ role: "user", parts: [{ text: "Note the date in NOTES.md." }] }];

for (;;) {
  const { tools } = await kit.definitions("gemini");
  const answer = await client.models.generateContent({
    model: "gemini-2.5-flash",
    contents,
    config: { tools: [{ functionDeclarations: tools }] },
  });
  contents.push(answer.candidates[0].content);
  const calls = answer.functionCalls ?? [];
  if (calls.length === 0) {
    console.log(answer.text);
    break;
  }
  const outcomes = await kit.callAll(
    calls.map(({ id, name, args }) => ({ ...(id === undefined ? {} : { id }), name, input: args })),
  );
  for (const { tool, status, summary } of outcomes) console.log(`${tool}: ${status}, ${summary}`);
  contents.push({ role: "user", parts: outcomes.map((outcome) => toResult(outcome, "gemini")) });
}
await kit.dispose();
