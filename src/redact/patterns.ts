/** Pattern of a secret, specific enough never to match ordinary text. */
export interface SecretPattern {
  /** Name of the secret in the placeholder that replaces it. */
  readonly name: string;
  /**
   * Prefixes, one of which begins every match; text that contains none of them is skipped by one search. No prefix
   * begins with another.
   */
  readonly signs: readonly string[];
  /**
   * Tried wherever a prefix occurs. A group named `lead` stays in the text, the rest is redacted. The pattern must give
   * up within a few hundred characters or consume what it has read, so that the time for any text is proportional to
   * its length. No repetition is unbounded, because the memory for backtracking is bounded.
   */
  readonly pattern: RegExp;
  /** Whether a match must begin a run of letters, digits, `_` and `-`. */
  readonly isAlone?: boolean;
  /** Whether a match may extend past blanks, up to the end of its line. */
  readonly spansBlanks?: boolean;
}

/** Excludes values that are a variable, a placeholder or asterisks. */
const notNamed = String.raw`(?!\$\{?\w+\}?@|<[^>\s]{0,64}>@|\{[^}\s]{0,64}\}@|\*+@|%\w+%@|\[redacted)`;

/** Requires a digit in the value that follows: words that represent a value have none. */
const withDigit = String.raw`(?=[^\s"'\x60]{0,200}\d)`;

export const secretPatterns: readonly SecretPattern[] = [
  {
    name: "AWS access key id",
    signs: ["AKIA", "ASIA", "ABIA", "ACCA"],
    pattern: /A[KSBC]IA[0-9A-Z]{16}(?![0-9A-Za-z])/uy,
    isAlone: true,
  },
  {
    name: "AWS secret key",
    signs: ["secret_access_key", "SECRET_ACCESS_KEY", "ecretAccessKey"],
    pattern:
      /(?<lead>\w{14,17}[\\"']{0,4}[ \t]{0,4}[:=][ \t]{0,4}[\\"']{0,4})(?=[A-Za-z0-9/+]{0,39}\d)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/uy,
    spansBlanks: true,
  },
  {
    name: "GitHub token",
    signs: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: /gh[pousr]_[A-Za-z0-9]{36,20000}/uy,
  },
  { name: "GitHub token", signs: ["github_pat_"], pattern: /github_pat_[A-Za-z0-9_]{60,20000}/uy },
  {
    name: "GitLab token",
    signs: ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-"],
    pattern: /gl[a-z]{2,4}-(?=[\w-]{0,100}\d)[\w-]{20,20000}/uy,
    isAlone: true,
  },
  {
    name: "Anthropic key",
    signs: ["sk-"],
    pattern: /sk-ant-[\w-]{20,20000}/uy,
    isAlone: true,
  },
  {
    name: "OpenAI key",
    signs: ["sk-"],
    // Requires 16 characters without a hyphen and a digit: names of packages and styles have many hyphens.
    pattern: /sk-(?=[\w-]{0,200}\d)(?=[\w-]{0,64}?[A-Za-z0-9]{16})[\w-]{32,20000}/uy,
    isAlone: true,
  },
  {
    name: "Google API key",
    signs: ["AIza"],
    pattern: /AIza[\w-]{35}(?![\w-])/uy,
    isAlone: true,
  },
  { name: "Google token", signs: ["ya29."], pattern: /ya29\.[\w-]{30,20000}/uy, isAlone: true },
  { name: "Google secret", signs: ["GOCSPX-"], pattern: /GOCSPX-[\w-]{20,20000}/uy, isAlone: true },
  {
    name: "Slack token",
    signs: ["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
    pattern: /x(?:ox[abeoprs]|app)[-.](?=[\w.-]{0,60}\d)[\w.-]{10,20000}/uy,
    isAlone: true,
  },
  {
    name: "Slack webhook",
    signs: ["hooks.slack.com/"],
    pattern: /(?<lead>hooks\.slack\.com\/\w{1,20}\/)[\w/]{20,20000}/uy,
  },
  {
    name: "Stripe key",
    signs: ["sk_live_", "rk_live_", "sk_test_", "rk_test_"],
    pattern: /[rs]k_(?:live|test)_[A-Za-z0-9]{16,20000}/uy,
  },
  { name: "Stripe secret", signs: ["whsec_"], pattern: /whsec_[A-Za-z0-9+/=]{24,20000}/uy },
  { name: "npm token", signs: ["npm_"], pattern: /npm_[A-Za-z0-9]{36}(?!\w)/uy, isAlone: true },
  { name: "PyPI token", signs: ["pypi-"], pattern: /pypi-A[\w-]{50,20000}/uy, isAlone: true },
  {
    name: "SendGrid key",
    signs: ["SG."],
    pattern: /SG\.[\w-]{16,64}\.[\w-]{16,20000}/uy,
    isAlone: true,
  },
  {
    name: "Hugging Face token",
    signs: ["hf_"],
    pattern: /hf_[A-Za-z0-9]{30,20000}/uy,
    isAlone: true,
  },
  { name: "Groq key", signs: ["gsk_"], pattern: /gsk_[A-Za-z0-9]{40,20000}/uy, isAlone: true },
  { name: "xAI key", signs: ["xai-"], pattern: /xai-[A-Za-z0-9]{60,20000}/uy, isAlone: true },
  {
    name: "Perplexity key",
    signs: ["pplx-"],
    pattern: /pplx-[A-Za-z0-9]{40,20000}/uy,
    isAlone: true,
  },
  { name: "Replicate token", signs: ["r8_"], pattern: /r8_[A-Za-z0-9]{37,20000}/uy, isAlone: true },
  {
    name: "DigitalOcean token",
    signs: ["dop_v1_", "doo_v1_", "dor_v1_"],
    pattern: /do[opr]_v1_[a-f0-9]{64}/uy,
  },
  {
    name: "Shopify token",
    signs: ["shpat_", "shpss_", "shpca_", "shppa_"],
    pattern: /shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}/uy,
  },
  { name: "Linear key", signs: ["lin_api_"], pattern: /lin_api_[A-Za-z0-9]{32,20000}/uy },
  { name: "Notion token", signs: ["ntn_"], pattern: /ntn_[A-Za-z0-9]{40,20000}/uy, isAlone: true },
  { name: "Databricks token", signs: ["dapi"], pattern: /dapi[a-f0-9]{32}(?!\w)/uy, isAlone: true },
  {
    name: "Vault token",
    signs: ["hvs.", "hvb."],
    pattern: /hv[sb]\.[\w-]{24,20000}/uy,
    isAlone: true,
  },
  { name: "Docker token", signs: ["dckr_pat_"], pattern: /dckr_pat_[\w-]{20,20000}/uy },
  { name: "Figma token", signs: ["figd_"], pattern: /figd_[\w-]{30,20000}/uy, isAlone: true },
  { name: "Supabase token", signs: ["sbp_"], pattern: /sbp_[a-f0-9]{40}/uy, isAlone: true },
  { name: "Sentry token", signs: ["sntrys_"], pattern: /sntrys_[\w+/=-]{40,20000}/uy },
  { name: "Grafana token", signs: ["glsa_"], pattern: /glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}/uy },
  {
    name: "Atlassian token",
    signs: ["ATATT3"],
    pattern: /ATATT3[\w=-]{50,20000}/uy,
    isAlone: true,
  },
  { name: "age key", signs: ["AGE-SECRET-KEY-1"], pattern: /AGE-SECRET-KEY-1[A-Z0-9]{50,20000}/uy },
  {
    name: "JSON web token",
    signs: ["eyJ"],
    pattern: /eyJ[\w-]{8,20000}\.eyJ[\w-]{8,20000}\.[\w-]{8,20000}/uy,
    isAlone: true,
  },
  {
    name: "password in URL",
    signs: ["://"],
    pattern: new RegExp(
      String.raw`(?<lead>:\/\/[^\s:/@"'\x60,]{0,64}:)${notNamed}[^\s/@"'\x60,]{3,256}(?=@)`,
      "uy",
    ),
  },
  {
    name: "password",
    signs: [";Password=", ";password=", ";PASSWORD=", ";Pwd=", ";pwd=", ";PWD="],
    pattern: /(?<lead>;\w{3,8}=)(?!\$\{|\{|<|\*+;)[^;\s"']{3,256}/uy,
  },
  {
    name: "Azure key",
    signs: ["AccountKey=", "SharedAccessKey="],
    pattern: /(?<lead>\w{10,15}=)[A-Za-z0-9+/]{40,20000}={0,2}/uy,
  },
  {
    name: "credentials",
    signs: ["uthorization", "UTHORIZATION"],
    pattern: new RegExp(
      String.raw`(?<lead>(?:uthorization|UTHORIZATION)[\\"']{0,4}[ \t]{0,4}[:=,]?[ \t]{0,4}[\\"'\x60]{0,4}(?:[Bb]earer|[Tt]oken|BEARER|TOKEN)[ \t]{1,4})${withDigit}[\w.~+/=-]{8,20000}`,
      "uy",
    ),
    spansBlanks: true,
  },
  {
    name: "credentials",
    signs: ["uthorization", "UTHORIZATION"],
    // `user:password` in base64 need not contain a digit, but has a capital letter after its first character.
    pattern:
      /(?<lead>(?:uthorization|UTHORIZATION)[\\"']{0,4}[ \t]{0,4}[:=,]?[ \t]{0,4}[\\"'`]{0,4}(?:[Bb]asic|BASIC)[ \t]{1,4})(?=[\w+/]{1,200}[A-Z\d])[A-Za-z0-9+/]{8,20000}={0,2}/uy,
    spansBlanks: true,
  },
  {
    name: "API key",
    signs: ["x-api-key", "X-Api-Key", "X-API-Key", "X-API-KEY"],
    pattern: new RegExp(
      String.raw`(?<lead>.{9}[\\"']{0,4}[ \t]{0,4}[:=,][ \t]{0,4}[\\"'\x60]{0,4})${withDigit}[\w.~+/=-]{16,20000}`,
      "uy",
    ),
    spansBlanks: true,
  },
];
