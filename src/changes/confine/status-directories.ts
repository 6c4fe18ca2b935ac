/** Directories below the data directory in which commands write status files. */
export const statusDirectories = ["shell", "tasks/exits"] as const;
