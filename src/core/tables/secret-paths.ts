/**
 * Locations of secrets, which no program and no tool reads or writes unless the user allows it.
 *
 * A path belongs here when what it holds lets its reader act as the user elsewhere, or repeats what the user typed and
 * read in private. Between `|`: below the home directory, or from the root. `*` stands for any text in a name.
 * `.config`, `.local/share`, `.local/state` and `.cache` are also looked for where the XDG variables put them.
 */
export const secretFamilies = {
  keys: `
.ssh | .gnupg | .pki | .putty | .config/putty | .config/age | .age | .config/sops | .minisign | .signify |
.config/sigstore | .sigstore | .cosign | .step | .certbot | .acme.sh | .lego | .config/letsencrypt |
.config/mkcert | .local/share/mkcert | .yubico | .config/Yubico | .config/yubikey* | .tpm2_pkcs11 | .certs |
.keystore | .android/debug.keystore | .android/adbkey | .java/.userPrefs | .dropbear | .tsh | .config/step |
.nitrokey | .chef | .puppetlabs | .eyaml | .vault_pass* | .vault-pass* | .ansible/vault* |
Library/Application Support/sops | Library/Application Support/mkcert`,
  cloud: `
.aws | .azure | .oci | .config/gcloud | .boto | .s3cfg | .s3curl | .s3ql | .passwd-s3fs | .mc | .mcli |
.config/rclone | .rclone.conf | .config/doctl | .digitalocean | .config/linode-cli | .linode-cli |
.config/hcloud | .hcloud | .config/scw | .scw | .config/exoscale | .exoscale | .vultr-cli.yaml |
.config/vultr-cli.yaml | .civo.json | .bluemix | .ibmcloud | .aliyun | .tccli | .hws | .ovh.conf | .config/ovh |
.config/upcloud* | .config/equinix | .config/packet-cli | .openstack | .config/openstack | .config/cloudcontrol |
.kube | .minikube/certs | .minikube/profiles | .config/k9s | .config/helm | .local/share/helm | .helm | .docker |
.config/containers/auth.json | .config/containers/podman-connections.json | .config/regctl | .regctl |
.local/share/containers/storage/secrets | .finch | .colima | .lima/_config | .rd | .rancher | .config/argocd |
.argocd | .config/flux | .config/octant | .config/tanzu | .tanzu | .crc | .odo | .config/pulumi | .pulumi |
.terraformrc | .terraform.d/credentials.tfrc.json | .terraform.d/*credentials* | .config/terraform | .tofurc |
.config/opentofu | .terragrunt | .vault-token | .vault | .config/vault | .consul* | .nomad* | .config/nomad |
.vercel | .config/vercel | .local/share/com.vercel.cli | .now | .netlify | .config/netlify | .wrangler |
.config/.wrangler | .cloudflared | .cloudflare | .fly | .config/fly | .config/heroku | .heroku | .railway |
.config/railway | .config/render | .config/configstore | .config/firebase | .supabase | .config/supabase |
.planetscale | .config/planetscale | .config/neonctl | .neon | .config/turso | .turso | .upstash.json |
.config/upstash | .config/stripe | .stripe | .config/twilio-cli | .twilio-cli | .sendgrid | .ngrok2 |
.config/ngrok | .ngrok | .config/localtunnel | .tailscale | .config/tailscale | .config/datadog | .datadog* |
.dogrc | .sentryclirc | .newrelic | .config/newrelic | .okta | .aws-sso | .saml2aws | .aws-vault | .awsvault |
.leapp | .Leapp | .granted | .config/amplify | .amplify | .serverless | .serverlessrc | .config/serverless |
.sst | .snowflake | .snowsql | .config/snowflake | .databrickscfg | .databricks | .dbt/profiles.yml |
.config/dbt | .bigqueryrc | .bigquery.v2 | .config/astronomer | .astro/config.yaml | .prefect |
.dagster_cloud_cli | .config/modal | .modal.toml | .runpod | .lambda_cloud | .vast_api_key | .config/vastai |
.replicate | .config/dstack | .dstack | .config/lightning | .lightning | .sky | .cdsapirc | .planet.json |
.config/earthengine | .mapbox | .algolia | .contentfulrc.json | .shopify | .config/shopify* | .magento-cloud |
.platformsh | .upsun | .acquia | .terminus/cache/tokens | .surge | .deta | .qovery | .porter | .okteto | .garden |
.config/coderv2 | .coder | .config/coder | .daytona | .config/daytona | .devpod |
Library/Application Support/com.vercel.cli | Library/Application Support/doctl |
Library/Application Support/netlify | Library/Application Support/ngrok | Library/Application Support/hcloud |
Library/Application Support/coderv2 | Library/Preferences/.wrangler | Library/Preferences/netlify |
Library/Preferences/helm | Library/Preferences/pulumi | Library/Application Support/fly`,
  "code hosts": `
.netrc | _netrc | .authinfo | .authinfo.gpg | .git-credentials | .git-credential-cache | .cache/git/credential |
.config/git/credentials | .git-credential-* | .gitcookies | .config/gh | .config/hub | .config/glab |
.config/glab-cli | .config/tea | .config/berg | .config/forgejo-cli | .config/git-credential-manager | .gcm |
.config/bitbucket | .bitbucket | .jira.d | .config/.jira | .jira | .config/jira | .arcrc | .phabricator |
.gerritrc | .reviewboardrc | .hgrc | .subversion/auth | .p4tickets | .p4config | .config/lab | .lab |
.config/act | .actrc | .circleci | .travis | .config/buildkite | .buildkite-agent | .drone | .sonar | .snyk |
.config/snyk | .config/gitguardian | .config/github-copilot/gh | .config/gist | .gist | .gist-vim | .linear |
.config/linear | Library/Application Support/GitHub Desktop | Library/Application Support/GitKraken | .gitkraken |
.config/GitHub Desktop`,
  "package registries": `
.npmrc | .yarnrc | .yarnrc.yml | .config/pnpm/rc | .config/pnpm/auth.ini | .config/npm | .bunfig.toml |
.config/.bunfig.toml | .config/jsr | .deno/credentials* | .jspm | .pypirc | .pip | .config/pip |
.config/pypoetry | .local/share/pypoetry/auth.toml | .config/uv | .local/share/uv/credentials | .config/hatch |
.local/share/hatch | .local/share/pdm | .config/pdm | .condarc | .conda/.condarc | .continuum | .anaconda |
.config/anaconda* | .local/share/anaconda* | .config/rattler | .rattler | .pixi/credentials* |
.cargo/credentials | .cargo/credentials.toml | .gem/credentials | .gem/*/credentials |
.local/share/gem/credentials | .bundle/config | .m2/settings.xml | .m2/settings-security.xml | .m2/security |
.gradle/gradle.properties | .gradle/init.gradle* | .gradle/init.d | .gradle/enterprise | .gradle/develocity |
.ivy2/.credentials | .ivy2/credentials | .sbt/credentials | .sbt/.credentials | .sbt/*/credentials.sbt |
.config/coursier/credentials.properties | .config/coursier | .lein/credentials* | .lein/profiles.clj |
.clojure/settings.xml | .composer/auth.json | .config/composer/auth.json | .config/composer |
.nuget/NuGet/NuGet.Config | .nuget/NuGet.Config | .config/NuGet | .microsoft/usersecrets | .config/nuget |
.paket/credentials | .hex/hex.config | .config/rebar3/hex.config | .cabal/config | .config/cabal | .stack/upload |
.stack/config.yaml | .local/state/cabal | .opam/*credentials* | .pub-cache/credentials.json | .config/dart |
.swiftpm/security | .config/swiftpm | .julia/servers | .Renviron | .cpanm/auth | .pause |
.luarocks/upload_config.lua | .luarocks/config* | .conan/.conan.db | .conan2/.conan.db | .conan2/credentials* |
.config/vcpkg | .jfrog | .config/jfrog | .artifactory | .config/cloudsmith | .cloudsmith | .nexus | .config/quay |
.oras | .config/oras | .vsce | .local/state/vsce | .ovsx | .config/wapm | .wasmer/wasmer.toml | .config/elm |
.spack/mirrors.yaml | .brewrc | .homebrew/brew.env | Library/Caches/pypoetry/auth.toml |
Library/Application Support/pypoetry | Library/Application Support/pdm |
Library/Application Support/uv/credentials | Library/Application Support/Coursier | Library/Preferences/pypoetry |
Library/Preferences/pnpm | Library/Application Support/dart | Library/org.swift.swiftpm/security`,
  agents: `
.claude.json | .claude.json.backup* | .claude/.credentials.json | .claude/*credentials* | .claude/settings.json |
.claude/settings.local.json | .claude/history.jsonl | .claude/projects | .claude/transcripts | .claude/sessions |
.claude/session-env | .claude/shell-snapshots | .claude/file-history | .claude/paste-cache | .claude/debug |
.claude/todos | .claude/tasks | .claude/backups | .claude/remote | .claude/channels | .config/claude |
.config/claude-code | .config/Claude | .config/anthropic | .anthropic | .codex/auth.json | .codex/*auth* |
.codex/.credentials.json | .codex/config.toml | .codex/history.jsonl | .codex/sessions |
.codex/archived_sessions | .codex/shell_snapshots | .codex/log | .codex/*.sqlite* | .config/codex | .openai |
.config/openai | .config/chatgpt | .gemini | .config/gemini | .config/github-copilot | .config/copilot |
.copilot | .local/share/opencode | .local/state/opencode | .config/opencode/opencode.json* |
.config/opencode/auth.json | .opencode/auth.json | .config/crush | .local/share/crush | .crush | .aider.conf.yml |
.aider*history* | .aider/oauth-keys.env | .continue | .continuerc.json | .cursor/mcp.json |
.cursor/cli-config.json | .cursor/auth.json | .cursor/chats | .cursor/projects | .config/cursor | .config/goose |
.local/share/goose | .local/state/goose | .aws/amazonq | .amazonq | .local/share/amazon-q | .local/share/amazonq |
.local/share/kiro* | .local/share/kiro-cli | .kiro/settings | .kiro/sessions | .config/kiro | .codeium |
.windsurf | .cline | .config/cline | .roo | .kilocode | .local/share/kilo | .config/kilo | .config/amp |
.local/share/amp | .cache/amp | .factory | .augment | .qwen | .iflow | .kimi | .local/share/kimi* |
.config/kimi* | .grok | .trae | .qoder | .qodo | .junie | .pi/agent | .vibe | .mistral | .config/mistral |
.openhands | .openclaw | .clawdbot | .moltbot | .config/clawdbot | .rovodev | .config/rovodev | .forge | .devin |
.config/devin | .warp | .local/state/warp-terminal | .local/share/warp-terminal | .config/io.datasette.llm |
.config/llm | .llm | .config/mods | .local/share/mods | .config/fabric | .config/aichat | .config/shell_gpt |
.config/tgpt | .config/aider | .config/litellm | .litellm | .config/interpreter | .config/open-interpreter |
.config/gptme | .local/share/gptme | .config/plandex | .plandex-home | .plandex-home-v2 | .tabnine |
.config/TabNine | .sourcegraph | .config/cody* | .supermaven | .tabby-client | .pieces | .ollama/id_ed25519 |
.ollama/history | .lmstudio/credentials | .lmstudio/conversations | .lmstudio/.internal |
.cache/lm-studio/conversations | .huggingface | .cache/huggingface/token | .cache/huggingface/stored_tokens |
.config/huggingface | .kaggle | .config/kaggle | .wandb | .config/wandb | .comet.config | .neptune |
.mlflow/credentials | .config/mlflow | .clearml.conf | clearml.conf | .config/openrouter | .openrouter |
.config/groq | .groq | .cohere | .config/elevenlabs | .together | .replit | .config/mcp | .mcp-auth | .mcp |
.config/smithery | .composio | .e2b | .config/haft | .haft | .local/share/haft | .agents/auth* |
Library/Application Support/io.datasette.llm | Library/Application Support/aichat |
Library/Application Support/Claude | Library/Application Support/com.openai.chat |
Library/Application Support/com.openai.codex | Library/Application Support/Codex |
Library/Application Support/amazon-q | Library/Application Support/kiro-cli |
Library/Application Support/opencode | Library/Application Support/goose |
Library/Application Support/Block/goose | Library/Application Support/LM Studio |
Library/Application Support/dev.warp.Warp-Stable | Library/Application Support/github-copilot |
Library/Group Containers/2BBY89MBSN.dev.warp`,
  editors: `
.config/Code/User/globalStorage | .config/Code/User/workspaceStorage | .config/Code/User/History |
.config/Code/User/settings.json | .config/Code/User/mcp.json | .config/Code/Cookies | .config/Code/Network |
.config/Code/Local Storage | .config/Code - Insiders | .config/Code - OSS | .config/VSCodium | .config/Cursor |
.config/Windsurf | .config/Windsurf - Next | .config/Kiro | .config/Trae | .config/Antigravity |
.vscode-server/data/User | .vscode-server-insiders/data/User | .vscode-remote | .cursor-server/data/User |
.windsurf-server/data/User | .vscode/argv.json | .vscode-cli | .vscode/cli | .config/JetBrains |
.local/share/JetBrains | .config/zed | .local/share/zed | .config/sublime-text* | .config/lapce* | .config/coc |
.config/emacs/.authinfo* | .emacs.d/.authinfo* | .emacs.d/auth-source* | .emacs.d/history | .emacs.d/savehist |
.viminfo | .vim/.netrwhist | .vim/undo | .vim/undodir | .vim/backup | .vim/swap | .local/share/nvim/shada |
.local/state/nvim | .vim_mru_files | .config/Postman | .config/Insomnia | .config/Bruno | .config/bruno |
.postman | .rest-client | .config/httpie | .httpie | .jupyter/jupyter_server_config* |
.jupyter/jupyter_notebook_config* | .jupyter/jupyter_*_config.* | .local/share/jupyter/runtime |
.ipython/profile_default/security | .config/rstudio | .local/share/rstudio | .xcode | .arduino* |
.config/unity3d | Library/Application Support/Code | Library/Application Support/Code - Insiders |
Library/Application Support/VSCodium | Library/Application Support/Cursor | Library/Application Support/Windsurf |
Library/Application Support/Kiro | Library/Application Support/Trae | Library/Application Support/Antigravity |
Library/Application Support/JetBrains | Library/Application Support/Zed | Library/Application Support/Postman |
Library/Application Support/Insomnia | Library/Application Support/Sublime Text* | Library/Jupyter/runtime |
Library/Preferences/com.apple.dt.Xcode.plist`,
  wallets: `
.bitcoin | .litecoin | .dogecoin | .dashcore | .zcash | .bitmonero | Monero | .config/monero* | .shared-ringdb |
.ethereum | .local/share/io.parity.ethereum | .foundry/keystores | .brownie/accounts | .ape/accounts | .web3 |
.config/solana | .solana | .near-credentials | .sui | .aptos | .starkli* | .starknet_accounts | .cosmos | .gaia |
.osmosisd | .terra | .avalanchego | .avalanche-cli | .polkadot | .local/share/polkadot | .subkey | .cardano |
.flow | .hardhat | .config/hardhat* | .electrum | .electron-cash | .electrum-ltc | .config/electrum | .sparrow |
.bitcoin-cash-node | .lnd | .lightning-cli | .clightning | .eclair | .wasabiwallet | .walletwasabi |
.config/Exodus | .config/Ledger Live | .config/@trezor | .config/atomic | .multidoge | .multibit* | .armory |
.config/MyCrypto | .ipfs/config | .ipfs/keystore | .tezos-client | .octez-client | .stellar | .config/stellar |
.xrpl | .algorand | .hedera | .fuel | .forc | .anchor | .dfx | .config/dfx | Library/Application Support/Bitcoin |
Library/Application Support/Litecoin | Library/Application Support/Dogecoin |
Library/Application Support/DashCore | Library/Application Support/Ethereum | Library/Application Support/Zcash |
Library/Application Support/Exodus | Library/Application Support/Ledger Live |
Library/Application Support/@trezor | Library/Application Support/Electrum | Library/Application Support/atomic |
Library/Ethereum`,
  "shell and interpreter histories": `
.*_history | .*_history-* | .*_history.* | .*-history | .history | .history-* | .bash_sessions | .zsh_sessions |
.zhistory | .histfile | .config/zsh/.*history* | .local/share/zsh | .local/state/zsh | .local/state/bash |
.local/share/fish/fish_history | .local/share/fish | .config/fish/fish_history | .config/nushell/history* |
.local/share/nushell | .local/share/powershell | .config/powershell/*history* | .local/share/xonsh |
.config/elvish | .local/state/elvish | .local/share/atuin | .config/atuin | .local/share/mcfly | .mcfly |
.local/share/zoxide | .local/share/autojump | .lesshst | .local/state/lesshst | .python_history* | .pyhistory |
.ipython/profile_default/history.sqlite | .local/share/ipython | .config/ipython | .local/share/ptpython |
.config/ptpython | .node_repl_history | .ts_node_repl_history | .bun_repl_history | .deno_history |
.deno/deno_history.txt | .cache/deno/deno_history.txt | .irb-history | .pry_history | .local/share/pry |
.rdbg_history | .byebug_history | .Rhistory | .Rapp.history | .julia/logs/repl_history.jl | .ghc/ghci_history |
.scala_history* | .jshell | .groovy/groovysh.history | .lein_repl_history | .erlang_history |
.cache/erlang-history | .erlang.cookie | .utop-history | .local/share/utop-history | .php_history |
.config/psysh | .octave_hist | .wolfram* | .sage/ipython* | .gdb_history | .lldb | .calc_history |
.units_history | .wget-hsts | .config/wgetrc | .wgetrc | .curlrc | .config/curlrc | .asciinema |
.config/asciinema | .local/share/recently-used.xbel | .xsession-errors | .env | .env.* | .envrc | .secrets |
.secret | .credentials | .tokens | .token | .config/environment.d | .pam_environment | .bash_secrets |
.zsh_secrets | Library/Application Support/nushell/history* | Library/Application Support/fish |
Library/Application Support/atuin`,
  databases: `
.pgpass | .pg_service.conf | .pgadmin | .config/pgcli | .psql_history* | .my.cnf | .mylogin.cnf | .my.login.cnf |
.config/mycli | .myclirc | .mysql | .mariadb | .mycli-history | .mongorc.js | .mongoshrc.js | .mongodb |
.config/mongocli | .config/atlascli | .dbshell | .redisclirc | .rediscli_history | .config/iredis | .cqlshrc |
.cassandra | .clickhouse-client | .clickhouse-client.xml | .config/clickhouse | .clickhouse | .influxdbv2 |
.influx | .config/influx | .sqliterc | .config/litecli | .duckdb | .duckdbrc | .config/usql | .usqlpass |
.usqlrc | .config/sqlcl | .sqlcl | .dbeaver | .dbeaver4 | .local/share/DBeaverData | .config/dbeaver |
.config/beekeeper-studio | .config/DbGate | .dbgate | .config/sqlectron-gui | .sqlectron.json |
.config/tableplus | .config/MongoDB Compass | .config/robo3t | .3T | .config/harlequin | .config/azuredatastudio |
.sqlcmd | .sqlsecrets | .trino | .presto | .neo4j | .config/neo4j* | .arangodb | .couchdb | .elastic |
.elasticsearch | .prisma | .config/xata | .oracle | .sqlplus | .dbvis | .squirrel-sql | .SQLyog |
Library/Application Support/Postgres | Library/Application Support/com.tinyapp.TablePlus |
Library/Application Support/MongoDB Compass | Library/Application Support/DBeaverData | Library/DBeaverData |
Library/Application Support/influxdata`,
  "passwords and sign-ins": `
.password-store | .local/share/password-store | .gopass | .config/gopass | .local/share/gopass | .config/op |
.op | .config/1Password | .1password | .local/share/1password | .config/Bitwarden | .config/Bitwarden CLI |
.config/rbw | .cache/rbw | .local/share/rbw | .bw | .lpass | .config/lpass | .local/share/lpass |
.config/keepassxc | .cache/keepassxc | .keepass | .config/KeePass | .local/share/KeePass | .config/dashlane |
.dashlane | .dcli | .config/enpass | .local/share/Enpass | .config/protonpass* | .config/Proton Pass |
.local/share/proton-pass* | .config/doppler | .doppler | .config/infisical | .infisical | .akeyless |
.config/phase | .config/teller | .chamber | .local/share/keyrings | .gnome2/keyrings | .local/share/kwalletd |
.kde/share/apps/kwallet | .kde4/share/apps/kwallet | .local/share/gnome-online-accounts | .config/goa-1.0 |
.local/share/gsecrets | .local/share/authenticator | .config/Authy Desktop | .authy | .google_authenticator |
.oathtool | .config/totp | .2fa | .config/gauth.csv | .krb5 | .k5login | .k5identity | .krb5cc* | .cache/krb5 |
.config/pulse | .ICEauthority | .Xauthority | .rhosts | .shosts | .htpasswd | .smbcredentials | .smb | .cifs* |
.davfs2 | .rdesktop | .config/remmina | .local/share/remmina | .config/freerdp | .vnc | .config/tigervnc |
.config/rustdesk | .config/teamviewer | .anydesk | .openvpn | .config/openvpn* | .config/wireguard | .wireguard |
.wg | .cisco | .config/openconnect | .config/mullvad* | .config/nordvpn | .config/protonvpn | .config/Proton |
.config/expressvpn | .config/netbird | .zerotier* | .config/forticlient | .globalprotect | .config/filezilla |
.filezilla | .config/FileZilla | .ncftp | .lftp | .config/lftp | .local/share/lftp | .config/cyberduck |
.config/syncthing | .local/state/syncthing | .config/Nextcloud | .config/ownCloud | .dropbox | .config/restic |
.config/borg | .config/kopia | .duplicacy* | .config/rustic | .config/resticprofile | .local/share/duplicati |
.netxms | .rtorrent.rc | .config/transmission* | .config/weechat | .weechat | .irssi | .config/irssi |
.config/hexchat | .znc | .purple | .config/gajim | .local/share/gajim | .config/Element | .config/Signal |
.config/discord | .config/Slack | .config/teams* | .config/zoom* | .zoom | .config/skypeforlinux |
.local/share/TelegramDesktop | .config/WhatsApp | .local/share/signal-cli | .config/signal-cli |
.config/Mattermost | .config/matterhorn | .config/Beeper | .config/obsidian | .config/Notion | .config/Joplin |
.config/joplin | .config/spotify* | .cache/spotify* | .config/spotifyd | .config/ncspot | Library/Keychains |
Library/Accounts | Library/Cookies | Library/Application Support/1Password |
Library/Application Support/Bitwarden | Library/Application Support/Bitwarden CLI |
Library/Application Support/KeePassXC | Library/Application Support/gopass | Library/Application Support/rbw |
Library/Application Support/Enpass | Library/Application Support/com.apple.TCC |
Library/Application Support/AddressBook | Library/Application Support/CallHistoryDB |
Library/Application Support/Signal | Library/Application Support/Slack | Library/Application Support/discord |
Library/Application Support/Element | Library/Application Support/Microsoft |
Library/Application Support/Telegram Desktop | Library/Application Support/WhatsApp |
Library/Application Support/Syncthing | Library/Application Support/FileZilla |
Library/Application Support/doppler | Library/Messages | Library/Calendars | Library/Reminders |
Library/Group Containers/2BUA8C4S2C.com.1password | Library/Group Containers/group.com.apple.notes |
Library/Containers/com.apple.Notes | Library/Containers/com.bitwarden.desktop | Library/IdentityServices |
Library/HomeKit | Library/Suggestions`,
  "browsers and mail": `
.mozilla | .librewolf | .waterfox | .zen | .floorp | .thunderbird | .icedove | .config/mozilla |
.config/google-chrome* | .config/chromium | .config/microsoft-edge* | .config/BraveSoftware | .config/vivaldi* |
.config/opera* | .config/Arc | .config/yandex-browser* | .config/epiphany | .local/share/epiphany |
.config/falkon | .config/qutebrowser | .local/share/qutebrowser | .tor-browser | .local/share/torbrowser |
.w3m/cookie | .w3m | .lynx_cookies | .elinks | .links | .config/evolution | .local/share/evolution |
.local/share/geary | .config/geary | .config/KMail | .local/share/local-mail | .claws-mail | .sylpheed* |
.mailspring | .config/Mailspring | .mutt | .muttrc | .config/mutt | .config/neomutt | .neomuttrc | .msmtprc |
.config/msmtp | .mbsyncrc | .config/mbsync | .isyncrc | .config/isyncrc | .offlineimaprc | .offlineimap |
.config/offlineimap | .fetchmailrc | .getmail | .getmailrc | .procmailrc | .esmtprc | .mailrc | .nailrc | .aerc |
.config/aerc | .config/himalaya | .notmuch-config | .config/notmuch | .config/vdirsyncer | .config/khal |
.config/davmail | .davmail.properties | .alpine* | .pinerc | .pine-passfile | .maildir | .Maildir | Maildir |
.mail | Mail | mbox | .cache/mozilla | .cache/google-chrome* | .cache/chromium | .cache/thunderbird |
.cache/microsoft-edge* | .cache/BraveSoftware | .cache/vivaldi* | .cache/opera* | .var/app | snap/firefox |
snap/chromium | snap/thunderbird | snap/bitwarden | snap/slack | snap/discord | snap/*/common/.config |
Library/Mail | Library/Safari | Library/Containers/com.apple.Safari | Library/Containers/com.apple.mail |
Library/Application Support/Firefox | Library/Application Support/LibreWolf | Library/Application Support/zen |
Library/Application Support/Thunderbird | Library/Thunderbird | Library/Mozilla |
Library/Application Support/Google | Library/Application Support/Chromium |
Library/Application Support/Microsoft Edge* | Library/Application Support/BraveSoftware |
Library/Application Support/Vivaldi | Library/Application Support/Arc |
Library/Application Support/com.operasoftware.* | Library/Caches/Firefox | Library/Caches/Google |
Library/Caches/BraveSoftware | Library/Caches/Microsoft Edge | Library/Caches/com.apple.Safari`,
  system: `
/etc/shadow | /etc/shadow- | /etc/gshadow | /etc/gshadow- | /etc/master.passwd | /etc/security/opasswd |
/etc/sudoers | /etc/sudoers.d | /etc/doas.conf | /etc/ssh/ssh_host_*_key | /etc/dropbear | /etc/ssl/private |
/etc/ssl/*.key | /etc/pki/tls/private | /etc/pki/private | /etc/pki/CA/private | /etc/pki/nssdb |
/etc/letsencrypt | /etc/krb5.keytab | /etc/sssd | /etc/samba/private | /etc/samba/smbpasswd | /etc/ldap.secret |
/etc/libnss-ldap.secret | /etc/pam_ldap.secret | /etc/openldap/slapd.d | /etc/NetworkManager/system-connections |
/etc/wpa_supplicant | /etc/iwd | /var/lib/iwd | /etc/wireguard | /etc/openvpn | /etc/ipsec.secrets |
/etc/ipsec.d/private | /etc/swanctl | /etc/strongswan | /etc/ppp/chap-secrets | /etc/ppp/pap-secrets |
/etc/cifs-credentials | /etc/davfs2/secrets | /etc/postfix/sasl_passwd* | /etc/exim4/passwd.client |
/etc/msmtprc | /etc/mail/auth | /etc/mysql/debian.cnf | /etc/redis | /etc/docker/key.json | /etc/kubernetes |
/etc/rancher | /etc/rke2 | /etc/origin | /etc/vault.d | /etc/consul.d | /etc/nomad.d | /etc/puppetlabs |
/etc/chef | /etc/salt/pki | /etc/gitlab | /etc/gitlab-runner | /etc/grafana | /etc/default/grafana-server |
/etc/amazon | /etc/boto.cfg | /etc/google | /etc/azure | /etc/waagent.conf | /etc/cloudflared | /etc/tailscale |
/etc/ngrok* | /etc/rclone.conf | /etc/restic | /etc/borgmatic | /etc/apt/auth.conf | /etc/apt/auth.conf.d |
/etc/secrets | /etc/credstore | /etc/credstore.encrypted | /etc/cryptsetup-keys.d | /etc/luks | /etc/zfs/keys |
/etc/crypttab.key | /etc/multipath/secrets | /etc/iscsi | /etc/rsyncd.secrets | /etc/bacula | /etc/snmp |
/run/secrets | /run/credentials | /run/agenix* | /run/secrets.d | /run/user | /run/docker.sock | /run/podman |
/run/containerd | /run/crio | /run/secrets-for-users | /var/run/docker.sock | /var/run/secrets | /secrets |
/var/secrets | /vault/secrets | /var/lib/docker | /var/lib/containers/storage/secrets | /var/lib/containerd |
/var/lib/kubelet | /var/lib/rancher | /var/lib/etcd | /var/lib/minikube | /var/lib/vault | /var/lib/consul |
/var/lib/mysql | /var/lib/mariadb | /var/lib/postgresql | /var/lib/pgsql | /var/lib/mongodb | /var/lib/mongo |
/var/lib/redis | /var/lib/influxdb | /var/lib/jenkins | /var/jenkins_home | /var/lib/gitlab-runner |
/var/lib/grafana | /var/lib/sss | /var/lib/samba/private | /var/lib/tailscale | /var/lib/zerotier-one |
/var/lib/NetworkManager | /var/lib/connman | /var/lib/bluetooth | /var/lib/cloud | /var/lib/waagent |
/var/lib/amazon | /var/lib/google | /var/lib/systemd/credential.secret | /var/lib/systemd/coredump |
/var/lib/private | /var/lib/fprint | /var/lib/AccountsService | /var/crash | /var/spool/cron | /var/spool/mail |
/var/spool/postfix | /var/spool/exim4 | /var/mail | /var/db/sudo | /var/db/dslocal | /var/root | /var/backups |
/opt/vault | /srv/secrets | /boot/efi/loader/random-seed | /Library/Keychains | /private/etc/master.passwd |
/private/var/root | /private/var/db/dslocal | /private/etc/ssh/ssh_host_*_key | /private/etc/sudoers`,
} as const;

export type SecretFamily = keyof typeof secretFamilies;
