/** Where commands leave word for this system, below the data directory. */
export const wordFolders = ["shell", "tasks/exits"] as const;
