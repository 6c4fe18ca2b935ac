interface SecretPattern {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Shapes that are secrets wherever they stand; each is specific enough never to meet ordinary text. */
const secretPatterns: readonly SecretPattern[] = [
  {
    name: "private key",
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
  },
  { name: "AWS access key id", pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/gu },
  {
    name: "GitHub token",
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})/gu,
  },
  { name: "GitLab token", pattern: /\bglpat-[A-Za-z0-9_-]{20,}/gu },
  { name: "Anthropic key", pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/gu },
  { name: "OpenAI key", pattern: /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}/gu },
  { name: "Google API key", pattern: /\bAIza[0-9A-Za-z_-]{35}/gu },
  { name: "Slack token", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/gu },
  { name: "Slack webhook", pattern: /https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,}/gu },
  { name: "Stripe key", pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/gu },
  { name: "npm token", pattern: /\bnpm_[A-Za-z0-9]{36}\b/gu },
  { name: "PyPI token", pattern: /\bpypi-[A-Za-z0-9_-]{50,}/gu },
  { name: "SendGrid key", pattern: /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/gu },
  { name: "Hugging Face token", pattern: /\bhf_[A-Za-z0-9]{30,}/gu },
  {
    name: "JSON web token",
    pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/gu,
  },
  {
    name: "password in URL",
    pattern: /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`,]{1,64}:)[^\s:/@"'`,]{3,}(?=@)/giu,
  },
];

/** Whatever matches a pattern above contains one of these; ordinary text is passed by this one look. */
const anySign =
  /-----BEGIN |AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|sk-|AIza|xox[abeoprs]-|hooks\.slack|[rs]k_(?:live|test)_|npm_|pypi-|SG\.|hf_|eyJ|:\/\/[^\s/]*@/u;

/** The text with secrets replaced by `[redacted: kind]`; the very same string where there is none. */
export function redact(text: string): string {
  if (!anySign.test(text)) return text;
  let redacted = text;
  for (const { name, pattern } of secretPatterns) {
    redacted = redacted.replaceAll(pattern, `[redacted: ${name}]`);
  }
  return redacted;
}
