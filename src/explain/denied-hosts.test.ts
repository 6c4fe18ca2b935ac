// A deny rule for a host holds in the mode that asks nothing: what may hide the host is asked about.
import { describe, expect, test } from "vitest";
import { explainCommand } from "./index.ts";

const place = { cwd: "/ws", workspace: "/ws", home: "/home/ada", env: {} };
const rules = { deny: ["WebFetch(domain:example.com)"] };
const verdictOf = (command: string): string =>
  explainCommand(command, { ...place, mode: "bypassPermissions", rules }).verdict;

describe("a denied host", () => {
  test.each([
    "curl http://example.com",
    "curl example.com:443/x",
    "curl http://a:b@example.com/x",
    "curl https://a@EXAMPLE.com.:8443",
    "curl --url http://example.com http://a.org",
    "curl http://a.org --next http://example.com",
    "wget --user=a http://u:p@example.com/",
    "ssh example.com",
    "ssh a@example.com ls",
    "ssh -p 2222 ssh://a@example.com",
    "dig @example.com a.org",
    "echo x > /dev/tcp/example.com/80",
    'bash -c "curl http://example.com"',
    "command curl http://exam''ple.com",
    "/usr/bin/curl http://a.org http://example.com",
    "timeout 5 curl -: http://example.com",
    "curl http://example.com/{a,b}",
    "wget http://example.com/a?b",
    "curl http://example.com@example.com",
    "ssh a.org@example.com",
    "busybox wget http://example.com",
  ])("is refused in %s", (command) => {
    expect(verdictOf(command)).toBe("deny");
  });

  test.each([
    "curl http://a@b@example.com/",
    "curl 'http://a.org\\@example.com/'",
    "curl http://{a,example}.com",
    "curl 'http://{a,example}.com'",
    "curl 'http://example.co[m-m]/'",
    "curl http://ex%61mple.com/",
    "curl ftp://example.com/x",
    "curl http:/example.com",
    'curl "$X"',
    "curl http://a.org $X",
    "curl $(cat url)",
    "curl http://example$(echo .com)/",
    "curl http://a.org@$HOST/",
    "xargs -I{} curl {} < urls",
    "find . -name url -exec curl -K {} +",
    "echo x > /dev/tcp/$HOST/80",
    "exec 3<>/dev/tcp/$HOST/80",
    "> /dev/udp/$HOST/80",
    "ssh -oProxyJump=b.org a.org",
    "ssh a.org -J b.org",
    "ssh 2001:db8::1%25eth0/x",
    "curl --preproxy 192.0.2.1 http://a.org",
    "curl --proxy1.0 192.0.2.1 http://a.org",
    "curl --haproxy-clientip 192.0.2.1 http://a.org",
    "wget --max-redirect=0 --input-file urls",
    "wget --max-redirect=0 --inp=urls",
    "wget a.org:dir/file --max-redirect=0",
    "curl --connect-to ::example.com:443 https://a.org",
    "curl --resolve a.org:443:192.0.2.1 https://a.org",
    "curl -x http://example.com:8080 http://a.org",
    "curl --prox=example.com http://a.org",
    "curl --socks5 example.com http://a.org",
    "curl --doh-url https://example.com http://a.org",
    "curl -K urls.txt",
    "curl -L http://a.org",
    "curl -sSL http://a.org",
    "curl -sx example.com http://a.org",
    "https_proxy=http://example.com curl https://a.org",
    "https_proxy=http://192.0.2.1 curl https://a.org",
    "export https_proxy=$X; curl https://a.org",
    "HOME=x curl https://a.org",
    "export CURL_HOME=x; curl https://a.org",
    "read https_proxy < x; export https_proxy; ssh a.org && curl https://a.org",
    "curl --unix-socket /run/x http://a.org",
    "wget http://a.org",
    "wget -i urls.txt",
    "wget --max-redirect=0 -e http_proxy=192.0.2.1 http://a.org",
    "wget --max-redirect=0 -r http://a.org",
    "echo http://example.com | xargs curl",
    "echo http://example.com | wget -i -",
    "env curl $X",
    "git clone git@example.com:a/b",
    "git clone https://a.org/b",
    "git -C x -c a=b push origin main",
    "git fetch",
    "git remote update",
    "git remote add -f x https://a.org",
    "git $X",
    "git submodule update --init",
    "git archive --remote=x HEAD",
    "git ls-remote",
    "ssh -J example.com a.org",
    "ssh -J a.example b.example",
    "ssh -o ProxyCommand=x a.org",
    "ssh -F config a",
    "ssh -W x:1 a.org",
    "ssh $X",
    "ssh a.org curl http://example.com",
    "scp a $X",
    "scp a ada@a.org:",
    "rsync -a x a.org::y",
    "rsync -e ssh x y",
    "nc 192.0.2.1 80",
    "nc example.com 80",
    "socat - TCP:example.com:80",
    "telnet example.com",
    "python3 -c 'import urllib.request as u; u.urlopen(\"http://example.com\")'",
    "node fetch.js https://example.com/a",
    "HOST=example.com npm test",
    "npm install http://user@example.com/x.tgz",
    "dig -f names",
    "dig $X",
  ])("may be meant by %s, which is asked about", (command) => {
    expect(verdictOf(command)).toBe("ask");
  });

  test.each([
    "curl http://a.org",
    "curl -sS -o out.json 'https://a:b@a.org:8443/{x,y}?q=example.com' -H 'Accept: */*'",
    "curl -d email=a@example.com http://a.org",
    "HOME=x make",
    "wget --max-redirect=0 -O out http://a.org",
    "ssh -p 2222 ada@a.org",
    "ssh -i key a.org",
    "scp a b",
    "rsync -a x/ y/",
    "git status",
    "git commit -m 'example.org'",
    "git remote -v",
    "git remote add x https://a.org/b",
    "npm test",
    "make",
    "node build.js",
    "dig a.org",
    "echo example.com",
    "grep example.com a.txt",
  ])("is not meant by %s", (command) => {
    expect(verdictOf(command)).toBe("allow");
  });
});

test("an ask rule for a host asks about what may be that host, and the reason names it", () => {
  const ask = { ask: ["WebFetch(domain:example.com)"], allow: ["Bash(nc *)"] };
  const asked = explainCommand("nc 192.0.2.1 80", { ...place, rules: ask });
  const denied = explainCommand("nc 192.0.2.1 80", {
    ...place,
    rules: { ...rules, allow: ["Bash(nc *)"] },
  });

  expect([asked.verdict, denied.verdict]).toEqual(["ask", "ask"]);
  expect(denied.reasons.map(({ text }) => text)).toContain(
    "nc may contact a host that no rule was compared with, so WebFetch(domain:example.com) (option) may deny it.",
  );
});

test.each([
  { rule: "WebFetch(domain:*)", command: "make", is: "allow" },
  { rule: "WebFetch(domain:*)", command: "nc a.org 80", is: "ask" },
  { rule: "WebFetch(domain:*.sh)", command: "bash build.sh", is: "allow" },
  {
    rule: "WebFetch(domain:[2001:db8::1])",
    command: "node x.js 'http://[2001:db8::1]/'",
    is: "ask",
  },
])("$rule, $command: $is", ({ rule, command, is }) => {
  const { verdict } = explainCommand(command, {
    ...place,
    mode: "bypassPermissions",
    rules: { deny: [rule] },
  });

  expect(verdict).toBe(is);
});

describe("a rule that names git", () => {
  const allow = [
    "Bash(git push *)",
    "Bash(git push)",
    "Bash(git fetch *)",
    "Bash(curl *)",
    "Bash(nc *)",
  ];
  const of = (command: string, list: "deny" | "ask" = "deny"): string =>
    explainCommand(command, {
      ...place,
      mode: "default",
      rules: { allow, [list]: rules.deny },
    }).verdict;

  test.each(["git push", "git push origin main", "git fetch --all"])(
    "answers for the remotes that %s contacts",
    (command) => {
      expect(of(command)).toBe("allow");
      expect(of(command, "ask")).toBe("allow");
      expect(verdictOf(command)).toBe("ask");
    },
  );

  test.each([
    "git push https://example.com/x",
    "git push example.com:x",
    "git push $REMOTE",
    "git -c remote.origin.url=ssh://a.org/x push",
    "GIT_SSH_COMMAND=x git push",
    "curl http://ex%61mple.com/",
    "nc a.org 80",
  ])("does not answer for what %s may hide", (command) => {
    expect(of(command)).not.toBe("allow");
  });
});
