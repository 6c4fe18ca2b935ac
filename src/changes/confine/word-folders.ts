/** Directories below the data directory in which commands write status files. */
export const wordFolders = ["shell", "tasks/exits"] as const;
