import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { PathTurns } from "../../core/index.ts";
import { localHost, localPathTurns } from "../../host/index.ts";
import { recordTrust, reviewTrust } from "./change-trust.ts";
import { isTrusted } from "./trust.ts";

const at = temporaryFolder("trust");

test("trust that is revoked while another process records a change of its own stays revoked", async () => {
  for (const name of ["work/.haft", "data", "turns"]) mkdirSync(at(name), { recursive: true });
  writeFileSync(at("work/.haft/settings.json"), "{}");
  await using host = await localHost();
  const options = { host, workspace: at("work"), dataDirectory: at("data") };
  await recordTrust(options, (await reviewTrust(options)).files);
  expect((await isTrusted(options)).trusted).toBe(true);
  const record = at("data/trust.json");
  // The other process is between its comparison with the record and its write.
  const other = localPathTurns({ directories: [at("turns")] });
  const turn = await other.take([record], { by: "other", what: "a record" });
  const text = readFileSync(record, "utf8");

  const own = localPathTurns({ directories: [at("turns")] });
  let revoking: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    const turns: PathTurns = {
      ...own,
      async take(...words) {
        resolve();
        return await own.take(...words);
      },
    };
    revoking = recordTrust({ ...options, turns }, undefined).then(resolve);
  });
  writeFileSync(record, text);
  turn.release();
  await revoking;

  expect((await isTrusted(options)).trusted).toBe(false);
});
