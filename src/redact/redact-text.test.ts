import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RedactedStream, redact, redactionMarks } from "./redact-text.ts";
import { secretPatterns } from "./patterns.ts";
import { runs } from "../../test/support/law-runs.ts";

// No real keys: every sample is composed of a prefix and a made-up rest.

/** Deterministic letters and digits of any length. */
function random(length: number, alphabet: string): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return alphabet.charAt(state % alphabet.length);
  }).join("");
}

const encoder = new TextEncoder();
const letters = "aB3dEf7GhJ1kLmN5pQrS9tUvW2xYz";
const some = (length: number): string => random(length, letters);
const hex = (length: number): string => random(length, "0123456789abcdef");
const upper = (length: number): string => random(length, "ABCDEFGHJ23456789");
const base64 = (length: number): string => random(length, `${letters}+/`);

const keyBlock = (kind: string, lines: readonly string[]): string =>
  [`-----BEGIN ${kind}PRIVATE KEY-----`, ...lines, `-----END ${kind}PRIVATE KEY-----`].join("\n");
const keyLines = [base64(64), base64(64), `${base64(30)}==`];

/** The whole text, and the part of it that must be redacted. */
const samples: readonly (readonly [name: string, text: string, secret: string])[] = (
  [
    ["AWS access key id", "", `AKIA${upper(16)}`],
    ["AWS access key id", "id=", `ASIA${upper(16)}`],
    ["AWS secret key", "aws_secret_access_key = ", base64(40)],
    ["AWS secret key", "AWS_SECRET_ACCESS_KEY=", base64(40)],
    ["AWS secret key", '"SecretAccessKey": "', base64(40)],
    ["GitHub token", "", `ghp_${some(36)}`],
    ["GitHub token", "https://", `ghs_${some(36)}`],
    ["GitHub token", "", `github_pat_${some(22)}_${some(59)}`],
    ["GitLab token", "", `glpat-${some(20)}`],
    ["GitLab token", "", `glcbt-${some(24)}`],
    ["Anthropic key", "ANTHROPIC_API_KEY=", `sk-ant-api03-${some(93)}-AA`],
    ["OpenAI key", "key: ", `sk-${some(20)}T3BlbkFJ${some(20)}`],
    ["OpenAI key", "", `sk-proj-${some(48)}-${some(40)}`],
    ["OpenAI key", "", `sk-or-v1-${hex(64)}`],
    ["Google API key", "?key=", `AIza${some(35)}`],
    ["Google token", "", `ya29.${some(60)}`],
    ["Google secret", "", `GOCSPX-${some(28)}`],
    ["Slack token", "", `xoxb-${random(12, "0123456789")}-${some(24)}`],
    ["Slack token", "", `xapp-1-A0123-${some(30)}`],
    [
      "Slack webhook",
      "https://hooks.slack.com/services/",
      `T0${upper(8)}/B0${upper(8)}/${some(24)}`,
    ],
    ["Stripe key", "", `sk_live_${some(24)}`],
    ["Stripe key", "", `rk_test_${some(24)}`],
    ["Stripe secret", "", `whsec_${base64(32)}`],
    ["npm token", "//registry.npmjs.org/:_authToken=", `npm_${some(36)}`],
    ["PyPI token", "", `pypi-AgEIcHlwaS5vcmc${some(60)}`],
    ["SendGrid key", "", `SG.${some(22)}.${some(43)}`],
    ["Hugging Face token", "", `hf_${some(34)}`],
    ["Groq key", "", `gsk_${some(52)}`],
    ["xAI key", "", `xai-${some(80)}`],
    ["Perplexity key", "", `pplx-${some(48)}`],
    ["Replicate token", "", `r8_${some(37)}`],
    ["DigitalOcean token", "", `dop_v1_${hex(64)}`],
    ["Shopify token", "", `shpat_${hex(32)}`],
    ["Linear key", "", `lin_api_${some(40)}`],
    ["Notion token", "", `ntn_${some(46)}`],
    ["Databricks token", "", `dapi${hex(32)}`],
    ["Vault token", "", `hvs.${some(90)}`],
    ["Docker token", "", `dckr_pat_${some(27)}`],
    ["Figma token", "", `figd_${some(40)}`],
    ["Supabase token", "", `sbp_${hex(40)}`],
    ["Sentry token", "", `sntrys_${base64(90)}`],
    ["Grafana token", "", `glsa_${some(32)}_${hex(8)}`],
    ["Atlassian token", "", `ATATT3xFfGF0${some(180)}`],
    ["age key", "", `AGE-SECRET-KEY-1${upper(58)}`],
    ["JSON web token", "jwt=", `eyJ${some(20)}.eyJ${some(40)}.${some(43)}`],
    ["password in URL", "postgres://admin:", "hunter22"],
    ["password in URL", "redis://:", "p:ss-w0rd"],
    ["password", "Server=db;User Id=sa;Password=", "hunter22"],
    ["Azure key", "AccountName=x;AccountKey=", `${base64(86)}==`],
    ["credentials", "Authorization: Bearer ", some(40)],
    ["credentials", 'headers: { "authorization": "Bearer ', some(24)],
    ["credentials", "curl -H 'Authorization: token ", hex(40)],
    ["credentials", "Authorization: Basic ", "dXNlcjpwYXNzd29yZA=="],
    ["credentials", "AUTHORIZATION: Bearer ", some(40)],
    ["credentials", "HTTP_AUTHORIZATION='BEARER ", some(24)],
    ["credentials", "AUTHORIZATION=TOKEN ", hex(40)],
    ["credentials", "AUTHORIZATION: BASIC ", "dXNlcjpwYXNzd29yZA=="],
    ["API key", 'x-api-key: "', some(32)],
    ["private key", "", keyBlock("RSA ", keyLines)],
    ["private key", "", keyBlock("", keyLines)],
    ["private key", "", keyBlock("OPENSSH ", keyLines)],
    ["private key", "", keyBlock("RSA ", ["Proc-Type: 4,ENCRYPTED", "", ...keyLines])],
    ["private key", '{"private_key": "', keyBlock("", keyLines).replaceAll("\n", String.raw`\n`)],
  ] as const
).map(([name, lead, secret]) => [name, `${lead}${secret}`, secret] as const);

const tailOf = (name: string): string => (name.startsWith("password in") ? "@localhost/db" : "");

describe("a secret", () => {
  test.each(samples)("%s: %s", (name, text, secret) => {
    const whole = `before ${text}${tailOf(name)} after`;

    const shown = redact(whole);

    expect(shown).toBe(whole.replace(secret, `[redacted: ${name}]`));
  });

  test.each(samples)("%s at the end, in quotes, in JSON and twice: %s", (name, text, secret) => {
    const tail = tailOf(name);
    const quoted = JSON.stringify({ text: `a\n${text}${tail}` });

    for (const whole of [`${text}${tail}`, `"${text}${tail}"`, `${text}${tail}\n${text}${tail}`]) {
      expect(redact(whole)).not.toContain(secret);
    }
    expect(redact(quoted)).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  test("every kind in the table has a sample", () => {
    const sampled = new Set(samples.map(([name]) => name));

    expect(secretPatterns.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
  });

  test("no sign begins with another one, so that none hides another", () => {
    const signs = [...new Set(secretPatterns.flatMap((pattern) => pattern.signs))];

    const hidden = signs.filter((sign) => signs.some((a) => a !== sign && sign.startsWith(a)));
    expect(hidden).toEqual([]);
  });
});

describe("a private key", () => {
  const [first = "", second = "", last = ""] = keyLines;
  const begin = "-----BEGIN RSA PRIVATE KEY-----";
  const end = "-----END RSA PRIVATE KEY-----";

  test.each([
    [
      "numbered as Read shows it",
      [begin, ...keyLines, end].map((line, n) => `  ${n + 1}\t${line}`),
    ],
    ["as Grep shows it", [begin, ...keyLines, end].map((line, n) => `${n + 1}:${line}`)],
    ["in a difference", [begin, ...keyLines, end].map((line) => `+${line}`)],
    ["with its end cut off", [begin, first, second]],
    ["cut off in a line", [begin, first, second.slice(0, 5)]],
    ["with its beginning cut off", [first, second, last, end]],
    ["with its middle cut out", [begin, first, "[… 500 characters left out …]", last, end]],
    ["in a list of texts", [`["${begin}",`, `"${first}",`, `"${last}",`, `"${end}"]`]],
  ])("%s is hidden whole", (_how, lines) => {
    const shown = redact(["before", ...lines, "after it"].join("\n"));

    for (const line of [first, second.slice(0, 5), last]) expect(shown).not.toContain(line);
    expect(shown.startsWith("before\n")).toBe(true);
    expect(shown.endsWith("\nafter it")).toBe(true);
    expect(shown).toContain("[redacted: private key]");
  });
});

describe("a text that is not a secret stays", () => {
  const stays: readonly (readonly [because: string, text: string])[] = [
    ["a commit", hex(40)],
    ["a digest", `sha256:${hex(64)}`],
    ["a UUID", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"],
    ["a lock file's integrity", `"integrity": "sha512-${base64(86)}=="`],
    ["an image", `data:image/png;base64,iVBORw0KGgo${base64(4000)}`],
    ["an image with a key's letters in it", `${base64(40)}AKIA${upper(16)}${base64(40)}`],
    ["an id with more digits than a key", `AKIA${upper(24)}`],
    ["a package", "sk-learn-contrib-something-with-a-long-name-and-more"],
    ["a class of a style sheet", "sk-cube-grid-delay-sk-cube-grid-delay-sk-cube-grid-delay-10"],
    ["a word that ends like a sign", `task-${some(40)}`],
    ["a module", "import { npm_config_registry_setting_for_everything } from 'x'"],
    ["a URL", "https://example.com:8080/a?b=c@d"],
    ["a URL with a user", "ssh://git@github.com/a/b.git"],
    ["two URLs and an address", "http://a.example:80, mail me@b.example"],
    ["a URL with a variable", "postgres://user:${DB_PASSWORD}@host/db"],
    ["a URL with a placeholder", "postgres://user:<password>@host/db"],
    ["a URL with asterisks", "postgres://user:****@host/db"],
    ["a header with a variable", "Authorization: Bearer $TOKEN"],
    ["a header with a placeholder", "Authorization: Bearer YOUR_API_KEY"],
    ["a header in words", "Authorization: Basic authentication is used"],
    ["a header's name", "Set the Authorization header to a Bearer token, see RFC 6750."],
    ["a key's name", "x-api-key: the key of your account"],
    [
      "a certificate",
      ["-----BEGIN CERTIFICATE-----", ...keyLines, "-----END CERTIFICATE-----"].join("\n"),
    ],
    [
      "a public key",
      ["-----BEGIN PUBLIC KEY-----", ...keyLines, "-----END PUBLIC KEY-----"].join("\n"),
    ],
    [
      "a key's mark in code",
      `if (text.includes("-----BEGIN PRIVATE KEY-----")) return;\nconst next = 1;`,
    ],
    ["both marks in code", `/-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/`],
    ["a token of one part", `eyJ${some(60)}`],
    ["a token of two parts", `eyJ${some(20)}.${some(20)}.${some(20)}`],
    ["an Azure setting", "AccountKey=<your key>;EndpointSuffix=core.windows.net"],
    ["a name of a password", "Server=db;Password={password};"],
    ["a beginning alone", "ghp_ gho_ sk-ant- AKIA xoxb- AIza npm_ eyJ :// SG."],
  ];

  test.each(stays)("%s", (_because, text) => {
    const whole = `before ${text} after`;

    expect(redact(whole)).toBe(whole);
  });
});

describe("a text that comes in pieces", () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...samples.map(([name, text]) => `${text}${tailOf(name)}`)),
      fc.constantFrom(
        "\n",
        " ",
        "word ",
        "https://example.com/a b",
        "task-",
        "-----BEGIN ",
        "ghp_",
      ),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 8 },
  );

  test("is redacted as if it had come whole, wherever it is cut", () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(400), { maxLength: 20 }), (parts, cuts) => {
        // Separated by a blank, because a secret right after letters is part of another word.
        const whole = parts.join(" ");
        const stream = new RedactedStream();
        let shown = "";
        let at = 0;
        for (const cut of cuts) {
          shown += stream.push(whole.slice(at, at + cut));
          at += cut;
        }
        shown += stream.push(whole.slice(at)) + stream.end();
        expect(shown).toBe(redact(whole));
      }),
      { numRuns: runs(500) },
    );
  });

  test("and also where bytes that need no look are skipped", () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(400), { maxLength: 20 }), (parts, cuts) => {
        const whole = parts.join(" ");
        const bytes = encoder.encode(whole);
        // Only ASCII bytes may be skipped.
        fc.pre(bytes.length === whole.length);
        const stream = new RedactedStream();
        let shown = "";
        let at = 0;
        for (const cut of [...cuts, whole.length]) {
          const passed = stream.skip(bytes.subarray(at, at + cut));
          shown += whole.slice(at, at + passed);
          shown += stream.push(whole.slice(at + passed, at + cut));
          at += cut;
        }
        expect(shown + stream.end()).toBe(redact(whole));
      }),
      { numRuns: runs(500) },
    );
  });

  test("ordinary bytes are skipped, up to what may begin a secret", () => {
    const stream = new RedactedStream();
    const skipped = (text: string): number => stream.skip(encoder.encode(text));

    expect(skipped("line one\nline two\n")).toBe(18);
    expect(skipped("a token: npm")).toBe(9);
    stream.push("npm");
    expect(skipped("more")).toBe(0);
    stream.push("more\n");
    expect(skipped("more\n")).toBe(5);
    const far = "line\n".repeat(4000);
    expect(skipped(`${far}ghp_`)).toBe(far.length - 8192);
  });

  test.each(samples)("%s does not leak by single characters: %s", (name, text) => {
    const whole = `a ${text}${tailOf(name)} b\n`;
    const stream = new RedactedStream();

    const shown = Array.from(whole, (char) => stream.push(char)).join("") + stream.end();

    expect(shown).toBe(redact(whole));
  });

  test("ordinary text does not wait, nor does a question without a line end", () => {
    const stream = new RedactedStream();

    expect(stream.push("line one\nContinue? [y/N] ")).toBe("line one\nContinue? [y/N] ");
    expect(stream.push("42% don")).toBe("42% don");
    expect(stream.push(" at http")).toBe(" at http");
    expect(stream.end()).toBe("");
  });
});

test("marks are known by their kinds", () => {
  expect(redactionMarks("a [redacted: GitHub token] b [redacted: private key] c")).toEqual([
    "[redacted: GitHub token]",
    "[redacted: private key]",
  ]);
  expect(redactionMarks("[redacted: by me] [redacted]")).toEqual([]);
});

test("a key right behind another secret is known by its beginning, also in pieces", () => {
  const text = `sk-ant-api03-${some(93)}${keyBlock("RSA ", keyLines)}\n`;
  const want = "[redacted: Anthropic key][redacted: private key]\n";

  expect(redact(text)).toBe(want);
  for (const size of [1, 7, 64, 150]) {
    const stream = new RedactedStream();
    let out = "";
    for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
    expect(out + stream.end()).toBe(want);
  }
});

test.for([3000, 5000, 19_000])("a long token cut after %i characters is redacted whole", (cut) => {
  const text = `key sk-${"a1".repeat(8000)} end`;
  const stream = new RedactedStream();

  const pushed = stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end();

  expect(pushed).toBe(redact(text));
  expect(pushed).not.toContain("a1a1");
});

test("a key with headers is redacted as far as it goes where its end is missing", () => {
  const headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n";
  const begun = `-----BEGIN RSA PRIVATE KEY-----\n${headers}${some(64)}\n${some(64)}\n`;

  expect(redact(`${begun}\n(cut here)`)).toBe("[redacted: private key]\n\n(cut here)");
});
