import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { segmentName } from "./segments.ts";
import { logWitness } from "./witness.ts";

const directory = "/data/journal/calls";

test("notes whose file a directory has replaced count as damaged, by its name", async () => {
  const host = memoryHost();
  const name = segmentName(host.clock.now());
  await host.fs.mkdir(`${directory}/${name}`);
  const witness = logWitness({ ...host, directory, setAside: async () => false });

  expect(await witness.read()).toEqual({ notes: [], damaged: new Map([[name, 1]]) });
});
