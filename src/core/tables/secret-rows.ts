import { secretFamilies, type SecretFamily } from "./secret-paths.ts";

/** The places of one family. */
export function secretRows(family: SecretFamily): readonly string[] {
  return secretFamilies[family].split("|").map((row) => row.trim());
}

export const secretFamilyNames: readonly SecretFamily[] = [
  "keys",
  "cloud",
  "code hosts",
  "package registries",
  "agents",
  "editors",
  "wallets",
  "shell and interpreter histories",
  "databases",
  "passwords and sign-ins",
  "browsers and mail",
  "system",
];
