/** The command line is invalid. The exit code is 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The result of a check is negative. The exit code is 3. */
export class NotVerifiedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotVerifiedError';
  }
}

/** Text of `--help` for each command. */
const SECTIONS: Record<string, string> = {
  serve: `  colophon serve                     run the service (PORT, default 3001)`,
  init: `  colophon init                      write a commented .env, which \`colophon serve\` reads there`,
  login: `  colophon login [<address>]         store the address and the API key, from COLOPHON_API_KEY or standard
                                       input, in a file that only you can read`,
  migrate: `  colophon migrate                   bring the database's schema up to date`,
  'supabase-sql': `  colophon supabase-sql              print the SQL to run in the Supabase project that stores the
                                     records, once for each version`,
  doctor: `  colophon doctor                    show the effective configuration, and check the chain
                                       (exit code 3 when nothing can be anchored)`,
  fsck: `  colophon fsck                      compare what is recorded with the stored bytes, reading all of them
      --quick                          compare sizes only
      --repair                         restore from a pinned copy; remove bytes that nothing names
      --drop-altered                   with --repair: remove altered bytes without a copy, so that
                                       their next upload restores them
                                       (exit code 3 when something is wrong)`,
  backup: `  colophon backup <directory>        write all records of one point in time, and their
                                     bytes; with DATA_DIR, stop the service first
      --without-bytes                  the bytes stay in their store
                                       (exit code 3 when bytes are missing there)`,
  restore: `  colophon restore <directory>       fill an empty database and a store of bytes from a backup
      --digest <sha256:...>            only a backup with this digest`,
  pin: `  colophon pin                       pin content that is neither pinned nor queued: content recorded before
                                     pinning was configured, or content whose pinning failed`,
  openapi: `  colophon openapi                   print the API's OpenAPI 3.1 document`,
  record: `  colophon record <file>             record a file with who made it; - is standard input
      --role <role>                    human (default), ai, organization
      --name <name> | --entity <id>    the maker: a name, or the id of an entity
      --type <type>                    create (default): the maker made it; reference: it is
                                       from elsewhere
      --input <cid>                    CID of a source of this content; may be repeated
      --tool <provider>/<model>        the AI tool that was used; --tool-version <version>
      --session <id>                   the session that it belongs to
      --note <text>                    about the contribution
      --resource-type <type>           image, text, audio, ...
      --file-name <name>               file name to record (default: the name of the file)
      --sign <file>                    sign it with the key in this file, which
                                       \`colophon sign --new\` creates; needs --entity`,
  mark: `  colophon mark <file>               mark a file as made with or without AI, on every layer that it can
                                     carry, and record it; - is standard input
      --entity <id>                    the maker; an entity that exists
      --generator <name>               the tool that made it; --generator-version <version>
      --disclosure <d>                 ai_generated, ai_assisted, or none: people alone made it
      --title <text>                   title in the manifest
      --comment-syntax <s>             for text: the comment that carries the manifest, such as #
      --watermark, --no-watermark      add a watermark to a picture or WAV file, or none (default: only to AI content)
      --file-name <name>               file name to record (default: the name of the file)
      --output <file>                  write the marked copy into a new file`,
  detect: `  colophon detect <file>...          find marks of AI in files, with the public detector of a service;
                                     needs no key; - is standard input
      --report <file>                  write the signed report of one file
                                       (exit code 3 when no mark is found)`,
  sign: `  colophon sign <request>            print the JSON of an action or a file recording, from a file or -,
                                     with its performer's signature; needs no service
      --key-file <file>                file of the signing key: 64 hex digits
  colophon sign --new <file>         write a new signing key into a file, and print its public key`,
  bundle: `  colophon bundle <cid>              show the history of a content
      --direction <d>                  ancestors (default), descendants, both
      --depth <n> --limit <n>          maximum number of steps, and of actions
      --proof                          print JSON with its proof, to store and verify
      --proof-version <1|2>            1 for a verifier that does not know version 2`,
  read: `  colophon read <cid>                the bytes of a content, on standard output
      --output <file>                  into a new file
      --car                            as the blocks of a CARv1, for IPFS`,
  search: `  colophon search <file>             recorded content that is this file, or was made from it by an edit
  colophon search --text <text>      recorded texts that say the same
  colophon search --cid <cid>        other recorded content that is like a recorded one
  colophon search --iscc <code>      recorded content with the same or a near ISCC
      --limit <n>                      how many: 10 (default), at most 50`,
  iscc: `  colophon iscc <file>               the codes of a file by ISO 24138 (ISCC), computed on this machine;
                                     - is standard input
      --title <text>                   the title of the work: adds a Meta-Code
      --description <text>             with --title
      --json                           as JSON`,
  shares: `  colophon shares <cid>              the shares of those who made a content
      --policy <policy>                makers that receive a share: direct (default), parents,
                                       all-ancestors
      --total <n>                      units to share out (default 10,000)
      --decay <d> --depth <n>          weight of each step back; maximum number of steps`,
  receipt: `  colophon receipt <action>          print the receipt of an action, to store and verify
      --kind <kind>                    kind of the record: action (default), entity, attribution
      --timestamp                      print its RFC 3161 time-stamp instead`,
  report: `  colophon report                    the marks of the project in a period, for an auditor: counts by layer,
                                     detections, the log, and the robustness of the methods
      --from <date> --to <date>        start (included) and end (excluded), in UTC (default: 30 days
                                       before --to; now)
      --html <file>                    also write a page to print into a new file`,
  log: `  colophon log                       the name, key and size of the project's log
      --checkpoint                     its signed state (C2SP tlog-checkpoint)
  colophon log keys                  the keys that have signed the log, the present one last; with --json, the
                                     hand-overs with their proofs, for \`colophon verify --keys\`
  colophon log rotate-key            hand the logs of all projects over from the configured key to a new one; both
                                     sign it. With DATA_DIR and no DATABASE_URL, stop the service first
      --new-key-file <file>            the new key, as \`colophon sign --new\` writes it (default for a key
                                       in DATA_DIR: a new random key)
      --new-signer-command <command>   the new key is in a KMS; as LOG_SIGNER_COMMAND
      --former-key-lost                the configured key follows a lost one: readers have to get it from you
  colophon log accept-loss <project> after a restore that lost records: sign this log again, although readers may
                                     have checkpoints that it does not continue. Stop all nodes first
      --size <n>                       leaves of the signed tree, as the error of the service has them
  colophon log watch [<url>] --dir <dir>
                                     check every minute that the log only grows, and read its leaves; the
                                     directory stores the newest checkpoints and evidence; <url> means
                                     the same as --tiles
                                       (exit code 3 when the log removed or changed a leaf)
      --key <k>                        the log's key (default: the service's at the first start)
      --from <address>                 another address that has to show the same log; may be repeated
      --tiles <address>                watch a public log by its tiles (C2SP tlog-tiles) instead, such as
                                       https://example.org/log/<id>, without a key of the service; with
                                       --key at the first start; may be repeated
      --interval <seconds> | --once    pause between two checks (default 60); or check once
      --webhook <address>              where a message about such a fault is posted, signed with the
                                       secret in COLOPHON_WEBHOOK_SECRET
      --webhook-secret-file <file>     or in this file: whsec_ and base64`,
  verify: `  colophon verify <file>             verify that this exact file is recorded, and show its history; or verify
                                     a receipt (JSON, COSE or tlog-proof) or a bundle with
                                     its proof, with the log's key from the service
                                       (exit code 3 when the check fails)
      --key <k>                        the log's key, as \`colophon log\` shows it, or 64 hex digits:
                                       verify a receipt or a bundle without the service; may be repeated
      --keys <file>                    with --key: the file of \`colophon log keys --json\`; also accept the
                                       keys to which this key has handed over
      --digest <digest>                the record's digest, for a receipt as C2SP tlog-proof
      --rpc <address>                  also check the anchor at this node of the chain
      --require-anchor                 fail unless the chain shows the anchor; with --rpc
      --strict                         fail where the check only warns: unusual number texts, unused salts
      --witness <key>                  a witness's key, as \`colophon witness\` prints it: also check that it
                                       cosigned the checkpoint; may be repeated
      --quorum <n>                     how many of these witnesses suffice (default: all)
      --policy <file>                  logs, witnesses and the quorum in a file (C2SP tlog-policy), instead
                                       of --witness and --quorum
      --timestamp <file>               also check this time-stamp of the record, as
                                       \`colophon receipt --timestamp\` prints it
      --tsa-ca <file>                  with --timestamp: certificates of trusted authorities in PEM`,
  witness: `  colophon witness                   run a witness: cosign checkpoints of logs that only grow (C2SP
                                     tlog-witness); needs no service and no database
      --log <key>                      a log's key, as \`colophon log\` shows it; may be repeated
      --dir <directory>                its own directory, with its key and its newest checkpoints
      --name <name>                    its name, fixed at the first start, e.g. witness.example.org/one
                                       (default: the host name and /witness)
      --host <address> --port <n>      where it listens (default 127.0.0.1, 3003)
      --limit-per-minute <n>           signed requests of one log (default 600); 100 times as many of all
                                       together, and with --trust-proxy 10 times as many of one address
      --trust-proxy <proxies>          whose X-Forwarded-For has the client's address, as TRUST_PROXY:
                                       a number of proxies or addresses; false: there is no proxy`,
  publish: `  colophon publish <cid>             publish a history to everybody with the link; prints the link
      --title <text>                   title of the published page
      --withhold <what>                names, wallets, metadata, notes, prompts, tools, details; may be
                                       repeated (default: all but names and tools); none: nothing
      --hide <entity> | --hide-all     show only a pseudonym; --hide may be repeated
      --days <n>                       lifetime; default: unlimited
  colophon publish --list            what is published, newest first
  colophon publish --revoke <id>     end one`,
  anchor: `  colophon anchor deploy             deploy a registry on the chain of BLOCKCHAIN_RPC_URL,
                                       _CHAIN_ID and _PRIVATE_KEY, and print its address
  colophon anchor verify <action>    verify on the chain that an action is anchored
      --rpc <address>                  default: BLOCKCHAIN_RPC_URL
      --key <k>                        default: the log's key from the service`,
  orgs: `  colophon orgs list                 the organisations of the user
  colophon orgs create <slug>        --name <name>
  colophon orgs members <slug>
  colophon orgs add-member <slug> <user>
      --role <role>                    owner, admin, developer (default), viewer
  colophon orgs remove-member <slug> <user>
  colophon orgs audit <slug>         the last changes
      --limit <n>                      how many: 50 (default), at most 200
  colophon orgs delete <slug>`,
  projects: `  colophon projects list <org>       the projects of an organisation
  colophon projects create <org>     --name <name> [--slug <slug>]
  colophon projects show <id>
  colophon projects usage <id>       calls, bytes and actions of the last 30 days
  colophon projects delete <id>`,
  keys: `  colophon keys list <project>       the keys of a project, by its id
  colophon keys create <project>     make a key and print it, once
      --name <name>                    what it is for
      --permission <p>                 read (default), write, admin
      --entity <id>                    the key records only in the name of this entity;
                                       not for admin keys
      --days <n>                       lifetime; default: unlimited
  colophon keys rotate <key>         create a new key; the old one stays valid for a time
      --overlap <hours>                default: 24
  colophon keys revoke <key>`,
  webhooks: `  colophon webhooks list <project>   the webhooks of a project
  colophon webhooks create <project> add one and print its secret, once
      --url <address>                  https, of the public internet
      --events <a,b>                   action.recorded, action.anchored, audit.mismatch (default: all)
      --description <text>
  colophon webhooks update <project> <webhook>    with the same options
  colophon webhooks rotate <project> <webhook>    a new secret; the old one also signs for a time
      --overlap <hours>                default: 24
  colophon webhooks ping <project> <webhook>
  colophon webhooks deliveries <project> <webhook>
  colophon webhooks disable|enable|delete <project> <webhook>`,
  mcp: `  colophon mcp                       tools for AI agents (MCP) over stdio: record, mark, find, verify,
                                     explain, shares, credentials, publish
      --root <directory>               files that \`path\` may name (default: where it is started)
  colophon mcp --http                the same over HTTP; every request carries its API key
      --host <address> --port <n>      where it listens (default 127.0.0.1, 3002)
      --allow-host <name>              another host name that requests may use; may be repeated`,
};

const FOOT = `Every command takes --help. Commands that call the service take --json: the unchanged
answer on standard output; a failure on standard error, as {"error":{"code","message"}} with
recovery, details and requestId where the service gives them.

record, mark, detect, bundle, read, search, shares, receipt, log, verify, publish, mcp and anchor verify call the
service at COLOPHON_URL (default http://localhost:3001) with the key in COLOPHON_API_KEY; orgs, projects, keys
and webhooks with MANAGEMENT_API_KEY, in the name of COLOPHON_USER (default: operator, who
owns the organisation \`local\`).

Where no variable holds a key, the address and key of \`colophon login\` are used.
The service is configured by environment variables and by .env where it is started; see
docs/operate/configuration.md.
Exit codes: 0 done, 1 failed, 2 the command line or the configuration is wrong,
3 the check found a problem, or did not verify.
`;

export function describeUsage(command?: string): string {
  const section = SECTIONS[command ?? ''];
  const sections = section === undefined ? Object.values(SECTIONS) : [section];
  return `colophon: a provenance recording service\n\n${sections.join('\n')}\n\n${FOOT}`;
}
