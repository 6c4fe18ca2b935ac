import { joinPath, type ArtefactRef, type Host } from "../core/index.ts";
import { createJournal, type Journal } from "../journal/index.ts";
import { artefacts, artefactDirectory } from "./artefacts.ts";

export interface KeptOn {
  readonly journal: Journal;
  readonly keepArtefact: (callId: string, text: string) => Promise<ArtefactRef | undefined>;
}

/** What is kept beside the files of a host: before-images and whole answers, in the data directory there. */
export function keptOn(host: Host, dataDirectory: string): KeptOn {
  const kept = artefacts(host, artefactDirectory(dataDirectory));
  return {
    journal: createJournal({ host, directory: journalDirectory(dataDirectory) }),
    keepArtefact: async (callId, text) => await kept.keep(callId, text),
  };
}

export function journalDirectory(dataDirectory: string): string {
  return joinPath(dataDirectory, "journal");
}
