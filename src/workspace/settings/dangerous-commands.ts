/**
 * Commands that destroy data, publish something or change permissions. They need approval if `confirmDangerousCommands`
 * is set.
 */
export const dangerousCommands: readonly string[] = [
  "Bash(sudo *)",
  "Bash(doas *)",
  "Bash(su *)",
  "Bash(rm *)",
  "Bash(rmdir *)",
  "Bash(shred *)",
  "Bash(truncate *)",
  "Bash(dd *)",
  "Bash(chmod *)",
  "Bash(chown *)",
  "Bash(chgrp *)",
  "Bash(kill *)",
  "Bash(killall *)",
  "Bash(pkill *)",
  "Bash(git push *)",
  "Bash(git reset *)",
  "Bash(git clean *)",
  "Bash(git checkout *)",
  "Bash(git rebase *)",
  "Bash(npm publish *)",
  "Bash(pnpm publish *)",
  "Bash(yarn publish *)",
  "Bash(cargo publish *)",
  "Bash(docker system prune *)",
  "Bash(kubectl delete *)",
  "Bash(terraform apply *)",
  "Bash(terraform destroy *)",
];
