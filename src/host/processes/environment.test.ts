import { describe, expect, test } from "vitest";
import { scrubEnvironment } from "./environment.ts";

const filler = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

describe("what a program may see", () => {
  test.for([
    { name: "PATH", value: "/usr/bin:/bin", because: "nothing runs without it" },
    { name: "Path", value: String.raw`C:\Windows`, because: "Windows writes it so" },
    { name: "HOME", value: "/home/ada", because: "programs keep their files there" },
    { name: "LANG", value: "de_DE.UTF-8", because: "it decides on encodings" },
    { name: "LC_ALL", value: "C", because: "the family is allowed" },
    { name: "TERM", value: "xterm-256color", because: "colours" },
    { name: "CI", value: "true", because: "test runners ask for it" },
    { name: "NO_COLOR", value: "1", because: "a wish of the person" },
    { name: "TZ", value: "Europe/Berlin", because: "dates in tests" },
    { name: "JAVA_HOME", value: "/opt/java", because: "toolchains are found by it" },
    { name: "https_proxy", value: "http://proxy.example:8080", because: "without a password" },
    { name: "XDG_CONFIG_HOME", value: "/home/ada/.config", because: "the family is allowed" },
  ])("$name stays: $because", ({ name, value }) => {
    expect(scrubEnvironment({ [name]: value })).toEqual({
      variables: { [name]: value },
      withheld: [],
    });
  });

  test.for([
    { name: "ANTHROPIC_API_KEY", because: "a model provider's key" },
    { name: "OPENAI_API_KEY", because: "a model provider's key" },
    { name: "GEMINI_API_KEY", because: "a model provider's key" },
    { name: "AWS_SECRET_ACCESS_KEY", because: "a cloud's key" },
    { name: "AWS_PROFILE", because: "unlisted, and it leads to keys" },
    { name: "GITHUB_TOKEN", because: "a token" },
    { name: "NPM_CONFIG__AUTH", because: "unlisted" },
    { name: "DATABASE_URL", because: "unlisted" },
    { name: "SSH_AUTH_SOCK", because: "it signs with the person's keys" },
    { name: "LD_PRELOAD", because: "unlisted: it changes every program" },
    { name: "BASH_ENV", because: "unlisted: it runs before every script" },
    { name: "ANYTHING_ELSE", because: "unlisted" },
    { name: "PATHOLOGICAL", because: "a listed name is a whole name" },
    { name: "LC_TOKEN", because: "the name says so, though the family is allowed" },
    { name: "XDG_ACCESS_KEY", because: "the name says so" },
    { name: "xdg_password", because: "in any case" },
    { name: "LC_DB_PASSWD", because: "the name says so" },
    { name: "XDG_CREDENTIALS", because: "the name says so" },
    { name: "XDG_AUTH", because: "the name says so" },
    { name: "XDG_MYTOKEN", because: "the name ends so" },
    { name: "XDG_SECRET2", because: "a number behind it changes nothing" },
    { name: "XDG_CLIENT_SECRET_FILE", because: "in the middle of a name" },
    { name: "XDG_API-KEY", because: "with another separator" },
  ])("$name goes: $because", ({ name }) => {
    expect(scrubEnvironment({ [name]: "x" })).toEqual({ variables: {}, withheld: [name] });
  });

  test.for([
    { value: `ghp_${filler}`, because: "a GitHub token" },
    { value: `gho_${filler}`, because: "a GitHub token" },
    { value: `github_pat_${filler}`, because: "a fine-grained GitHub token" },
    { value: `glpat-${filler}`, because: "a GitLab token" },
    { value: `sk-${filler}`, because: "an OpenAI key" },
    { value: `sk-ant-api03-${filler}`, because: "an Anthropic key" },
    { value: `sk_live_${filler}`, because: "a Stripe key" },
    { value: "AKIAIOSFODNN7EXAMPLE", because: "an AWS key id" },
    { value: "ASIAIOSFODNN7EXAMPLE", because: "a temporary AWS key id" },
    { value: `AIza${filler}`, because: "a Google key" },
    { value: `ya29.${filler}`, because: "a Google token" },
    { value: "xoxb-123456789012-abcdef", because: "a Slack token" },
    { value: `npm_${filler}`, because: "an npm token" },
    { value: `pypi-${filler}`, because: "a PyPI token" },
    { value: `hf_${filler}`, because: "a Hugging Face token" },
    { value: `gsk_${filler}`, because: "a Groq key" },
    { value: `xai-${filler}`, because: "an xAI key" },
    { value: `SG.${filler}.${filler}`, because: "a SendGrid key" },
    { value: `dop_v1_${"0123456789abcdef".repeat(4)}`, because: "a DigitalOcean token" },
    { value: "-----BEGIN OPENSSH PRIVATE KEY-----\nabc", because: "a private key" },
    { value: "-----BEGIN PRIVATE KEY-----\nabc", because: "a private key" },
    { value: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", because: "a JWT" },
    { value: "http://ada:hunter2@proxy.example:8080", because: "an address with a password" },
    { value: "http://:hunter2@proxy.example", because: "a password without a name" },
    { value: `Authorization: bearer ${filler}`, because: "a bearer token" },
    { value: `before ghp_${filler} after`, because: "in the middle" },
  ])("a listed name does not carry $because", ({ value }) => {
    expect(scrubEnvironment({ EDITOR: value })).toEqual({ variables: {}, withheld: ["EDITOR"] });
  });

  test.for([
    "/usr/bin:/opt/sk-tools/bin",
    "http://proxy.example:8080",
    "user@host",
    "https://example.com/a:b@c",
    "less -R",
    "eyJ",
    "-----BEGIN CERTIFICATE-----",
  ])("%s looks like no secret", (value) => {
    expect(scrubEnvironment({ EDITOR: value }).withheld).toEqual([]);
  });
});

test("what a person passes on is passed on, by its exact name", () => {
  const variables = { GITHUB_TOKEN: `ghp_${filler}`, OTHER: "x", EMPTY: undefined };

  expect(scrubEnvironment(variables, ["GITHUB_TOKEN"])).toEqual({
    variables: { GITHUB_TOKEN: `ghp_${filler}` },
    withheld: ["OTHER"],
  });
});

test("withheld names are sorted and values are nowhere", () => {
  const scrubbed = scrubEnvironment({
    ZED_TOKEN: "one-secret",
    A_TOKEN: "two-secret",
    PATH: "/bin",
  });

  expect(scrubbed.withheld).toEqual(["A_TOKEN", "ZED_TOKEN"]);
  expect(JSON.stringify(scrubbed)).not.toContain("secret");
});

test("names that JavaScript objects inherit are names like any other", () => {
  const variables = Object.fromEntries([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);

  expect(scrubEnvironment(variables)).toEqual({
    variables: {},
    withheld: ["__proto__", "constructor"],
  });
});
