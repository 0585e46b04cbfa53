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
  init: `  colophon init                      write an .env with every variable in a comment; \`colophon serve\` in this
                                     directory reads it`,
  login: `  colophon login [<address>]         store the address and the API key, from COLOPHON_API_KEY or standard
                                       input, in a file that only you can read`,
  migrate: `  colophon migrate                   bring the database's schema up to date`,
  db: `  colophon db distribute             distribute the records over the nodes of a Citus cluster, while the service
                                     runs; can run again, for example after a node was added
  colophon db partition              divide the large tables of records into partitions by project, while the
                                     service runs; needs as much free disk space as the tables use
      --parts <n>                      number of partitions of each table (default 16)`,
  'supabase-sql': `  colophon supabase-sql              print the SQL to run in the Supabase project that stores the
                                     records, once for each version`,
  doctor: `  colophon doctor                    show the effective configuration; check the Citus cluster and the chain
                                       (exit code 3 when the cluster is not ready or nothing can be anchored)`,
  promote: `  colophon promote                   make the replica of DATABASE_REPLICA_URL the primary, when DATABASE_URL
                                     does not answer any more, and print the next steps
      --force                          promote it although a primary answers or still sends to the replica
                                       (exit code 3 when it may not be promoted)`,
  fsck: `  colophon fsck                      compare the records with the stored bytes; reads all bytes
      --quick                          compare sizes only
      --repair                         restore content from a pinned copy; remove bytes that no record names
      --drop-altered                   with --repair: remove altered bytes without a copy, so that
                                       their next upload restores them
                                       (exit code 3 when a problem remains)`,
  backup: `  colophon backup <directory>        write all records of one point in time, and their
                                     bytes; with DATA_DIR, stop the service first
      --without-bytes                  do not copy the bytes; they stay in their store
                                       (exit code 3 when bytes are missing from the store)`,
  restore: `  colophon restore <directory>       fill an empty database and a store of bytes from a backup
      --digest <sha256:...>            restore the backup only if it has this digest`,
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
      --session <id>                   the session that the action belongs to
      --note <text>                    a note about the contribution
      --resource-type <type>           image, text, audio, ...
      --file-name <name>               file name to send (default: the name of the file)
      --title <text> | --no-title      title of the content (default: the file name)
      --sign <file>                    sign the recording with the key in this file, which \`colophon sign --new\`
                                       creates; needs --entity`,
  mark: `  colophon mark <file>               mark a file as made with or without AI, on every layer that it can
                                     carry, and record the marked copy; - is standard input
      --entity <id>                    the maker; an entity that exists
      --generator <name>               the tool that made the file; --generator-version <version>
      --disclosure <d>                 ai_generated, ai_assisted, or none if only people made the file
      --title <text>                   title in the manifest
      --comment-syntax <s>             for text: the comment that carries the manifest, such as #
      --watermark, --no-watermark      with or without a watermark in a picture, sound or video (default: with
                                       a watermark only if an AI was used)
      --file-name <name>               file name to record (default: the name of the file)
      --output <file>                  write the marked copy into a new file`,
  detect: `  colophon detect <file>...          find marks of AI in files, with the public detector of a service;
                                     needs no key; - is standard input; a directory stands for the
                                     files in it and its subdirectories. Waits when the
                                     service allows no more requests at the moment, and continues after
                                     a file that cannot be checked
      --report <file>                  write the signed report of one file
                                       (exit code 3 when a file has no mark, 1 when one was not checked)`,
  sign: `  colophon sign <request>            print the JSON of an action or a file recording, from a file or -,
                                     with its performer's signature; needs no service
      --key-file <file>                file of the signing key: 64 hex digits
  colophon sign --new <file>         write a new signing key into a file, and print its public key`,
  bundle: `  colophon bundle <cid>              show the history of a content
      --direction <d>                  ancestors (default), descendants, both
      --depth <n> --limit <n>          maximum number of steps; maximum number of actions
      --proof                          print JSON with its proof, to store and verify
      --proof-version <1|2>            1 for a verifier that does not support version 2`,
  read: `  colophon read <cid>                write the bytes of a content to standard output
      --output <file>                  into a new file
      --car                            write a CARv1 with the blocks of the content, for IPFS`,
  search: `  colophon search <file>             find recorded content that is identical to this file, or an edited
                                     version of it
  colophon search --text <text>      find recorded texts with these words or a similar meaning
  colophon search --cid <cid>        find other recorded content that is similar to a recorded one
  colophon search --iscc <code>      find recorded content with the same or a similar ISCC
      --limit <n>                      maximum number of results: 10 (default), at most 50`,
  iscc: `  colophon iscc <file>               compute the codes of a file by ISO 24138 (ISCC) on this machine;
                                     - is standard input
      --title <text>                   the title of the work: adds a Meta-Code
      --description <text>             with --title
      --json                           as JSON`,
  shares: `  colophon shares <cid>              show the share of each maker of a content
      --policy <policy>                makers that receive a share: direct (default), parents,
                                       all-ancestors
      --total <n>                      number of units to distribute (default 10,000)
      --decay <d> --depth <n>          weight of each step back; maximum number of steps`,
  receipt: `  colophon receipt <action>          print the receipt of an action, to store and verify
      --kind <kind>                    kind of the record: action (default), entity, attribution
      --timestamp                      print the RFC 3161 time-stamp of the record instead`,
  report: `  colophon report                    show the marks of the project in a period, for an auditor: counts by
                                     layer, detections, the log, and the robustness of the methods
      --from <date> --to <date>        start (included) and end (excluded), in UTC (default for --from: 30 days
                                       before --to; for --to: now)
      --html <file>                    also write the report as a page to print, into a new file`,
  log: `  colophon log                       show the name, key and size of the project's log
      --checkpoint                     print the signed state of the log (C2SP tlog-checkpoint)
  colophon log keys                  show the keys that have signed the log, the present key last; with --json, also
                                     the hand-overs with their proofs, for \`colophon verify --keys\`
  colophon log rotate-key            replace the key of the logs of all projects with a new key; both keys sign the
                                     hand-over. With DATA_DIR and no DATABASE_URL, stop the service first
      --new-key-file <file>            the new key, as \`colophon sign --new\` writes it (default for a key
                                       in DATA_DIR: a new random key)
      --new-signer-command <command>   a command that signs with the new key, such as a key in a KMS; same form as
                                       LOG_SIGNER_COMMAND
      --former-key-lost                the configured key replaces a lost key; readers must get the new key from you
  colophon log check                 compare each log with its newest signed checkpoint, which is outside the
                                     database; use this command after a restore or a fail-over
                                       (exit code 3 when a log lost signed leaves)
  colophon log accept-loss <project> continue a log that lost signed leaves under a new name, if the
                                     records are lost; its readers need the new name. Stop all nodes first
      --size <n>                       number of leaves of the signed tree, from the error of the service
  colophon log watch [<url>] --dir <dir>
                                     check every minute that the log only grows, and read its leaves; the
                                     directory stores the newest checkpoints and evidence; <url> means
                                     the same as --tiles
                                       (exit code 3 when a check finds a fault in the log)
      --key <k>                        the log's key (default: the service's at the first start)
      --from <address>                 another address that must show the same log; may be repeated
      --tiles <address>                watch a public log by its tiles (C2SP tlog-tiles) instead, such as
                                       https://example.org/log/<id>; needs no API key, but --key at the first start;
                                       may be repeated
      --interval <seconds> | --once    pause between two checks (default 60); or check only once
      --webhook <address>              send each fault to this address by POST, signed with the secret in
                                       COLOPHON_WEBHOOK_SECRET
      --webhook-secret-file <file>     read the secret from this file: whsec_ and base64`,
  verify: `  colophon verify <file>             verify that this exact file is recorded, and show its history; or verify
                                     a receipt (JSON, COSE or tlog-proof) or a bundle with
                                     its proof, with the log's key from the service
                                       (exit code 3 when the check fails)
      --key <k>                        the log's key, as \`colophon log\` shows it, or 64 hex digits:
                                       verify a receipt or a bundle without the service; may be repeated
      --keys <file>                    with --key: the output of \`colophon log keys --json\`; also accept the
                                       later keys that replaced this key
      --digest <digest>                for a receipt in the format C2SP tlog-proof: the digest of the record
      --rpc <address>                  also check the anchor of a receipt at this node of the chain
      --require-anchor                 with --rpc: also reject a bundle, which has no anchor
      --strict                         also fail for warnings: unusual number texts, unused salts
      --witness <key>                  the key of a witness, as \`colophon witness\` prints it; also check that the
                                       witness cosigned the checkpoint; may be repeated. ML-DSA-44 keys need Node 24.6
                                       or later with OpenSSL 3.5 or later
      --quorum <n>                     how many of these witnesses must have cosigned (default: all)
      --policy <file>                  a file with logs, witnesses and the quorum (C2SP tlog-policy), instead of
                                       --witness and --quorum
      --timestamp <file>               also check this time-stamp of the record, as
                                       \`colophon receipt --timestamp\` prints it
      --tsa-ca <file>                  with --timestamp: certificates of trusted authorities in PEM`,
  witness: `  colophon witness                   run a witness: cosign checkpoints of logs that only grow (C2SP
                                     tlog-witness); needs no service and no database
      --log <key>                      a log's key, as \`colophon log\` shows it; may be repeated
      --dir <directory>                a directory only for this witness, with its key and its newest checkpoints
      --name <name>                    its name, fixed at the first start, e.g. witness.example.org/one
                                       (default: the host name and /witness)
      --algorithm <algorithm>          its kind of key, fixed at the first start: ed25519 (default) or ml-dsa-44, which
                                       needs Node 24.6 or later with OpenSSL 3.5 or later
      --host <address> --port <n>      where it listens (default 127.0.0.1, 3003)
      --limit-per-minute <n>           maximum number of signed requests for one log (default 600); with --trust-proxy,
                                       for one log and one client. All requests together may be 100 times as many;
                                       with --trust-proxy, all requests of one client 10 times as many
      --trust-proxy <proxies>          the proxies that report the client address in X-Forwarded-For, as in
                                       TRUST_PROXY: their number or their addresses; false: there is no proxy`,
  publish: `  colophon publish <cid>             publish a history to everybody with the link; prints the link
      --title <text>                   title of the published page
      --withhold <what>                names, wallets, metadata, notes, prompts, tools, details; may be
                                       repeated (default: all but names and tools); none: withhold nothing
      --hide <entity> | --hide-all     show only a pseudonym; --hide may be repeated
      --titles                         show the titles of the contents, which can be file names
      --picture                        show a smaller copy of the picture, without its metadata
      --license                        show the terms of the licences, also when other data is withheld
      --days <n>                       lifetime; default: unlimited
  colophon publish --list            list the publications, newest first
  colophon publish --revoke <id>     revoke a publication
  colophon publish --restore <id>    make a publication public again, at most a minute after --revoke`,
  anchor: `  colophon anchor deploy             deploy a registry on the chain of BLOCKCHAIN_RPC_URL,
                                       _CHAIN_ID and _PRIVATE_KEY, and print its address
  colophon anchor verify <action>    verify on the chain that an action is anchored
      --rpc <address>                  default: BLOCKCHAIN_RPC_URL
      --key <k>                        default: the log's key from the service`,
  orgs: `  colophon orgs list                 list the organisations of the user
  colophon orgs create <slug>        --name <name>
  colophon orgs members <slug>
  colophon orgs add-member <slug> <user>
      --role <role>                    owner, admin, developer (default), viewer
  colophon orgs remove-member <slug> <user>
  colophon orgs audit <slug>         list the newest changes
      --limit <n>                      maximum number of changes: 50 (default), at most 200
  colophon orgs delete <slug>`,
  projects: `  colophon projects list <org>       list the projects of an organisation
  colophon projects create <org>     --name <name> [--slug <slug>]
  colophon projects show <id>
  colophon projects usage <id>       show the calls, bytes and actions of the last 30 days
  colophon projects delete <id>`,
  keys: `  colophon keys list <project>       list the keys of a project (its id)
  colophon keys create <project>     create a key and print it; it is shown only once
      --name <name>                    the purpose of the key
      --permission <p>                 read (default), write, admin
      --entity <id>                    the key records only in the name of this entity;
                                       not for admin keys
      --days <n>                       lifetime; default: unlimited
  colophon keys rotate <key>         create a new key; the old one stays valid for a time
      --overlap <hours>                default: 24
  colophon keys revoke <key>`,
  webhooks: `  colophon webhooks list <project>   list the webhooks of a project
  colophon webhooks create <project> add a webhook and print its secret; it is shown only once
      --url <address>                  https, of the public internet
      --events <a,b>                   action.recorded, action.anchored, audit.mismatch (default: all)
      --description <text>
  colophon webhooks update <project> <webhook>    with the same options
  colophon webhooks rotate <project> <webhook>  create a new secret; the old one also signs for a time
      --overlap <hours>                default: 24
  colophon webhooks ping <project> <webhook>
  colophon webhooks deliveries <project> <webhook>
  colophon webhooks disable|enable|delete <project> <webhook>`,
  mcp: `  colophon mcp                       tools for AI agents (MCP) over stdio: record, mark, find, verify,
                                     explain, shares, credentials, publish
      --root <directory>               the directory of the files that \`path\` may name (default: the working
                                       directory)
  colophon mcp --http                the same over HTTP; every request carries its API key
      --host <address> --port <n>      where it listens (default 127.0.0.1, 3002)
      --allow-host <name>              another host name that requests may use; may be repeated`,
};

const FOOT = `Every command accepts --help. Commands that call the service accept --json, except login, log watch and
mcp. With --json, a command prints its result as JSON on standard output (read: the bytes), and an error on standard
error, as {"error":{"code","message"}} with recovery, details and requestId if the service returns them.

login, record, mark, bundle, read, search, shares, receipt, report, log, verify, publish, mcp and anchor verify call
the service at COLOPHON_URL (default http://localhost:3001) with the key in COLOPHON_API_KEY. detect calls it without
a key. orgs, projects, keys and webhooks use the key in MANAGEMENT_API_KEY, and act for the user COLOPHON_USER (default:
operator, who owns the organisation \`local\`).

If no variable contains a key, the commands use the address and the key that \`colophon login\` stored.
Environment variables and the file .env in the directory where the service starts configure the service; see
docs/operate/configuration.md.

Exit codes: 0 done, 1 failed, 2 the command line or the configuration is wrong,
3 the check found a problem, or did not verify.
`;

export function describeUsage(command?: string): string {
  const section = SECTIONS[command ?? ''];
  const sections = section === undefined ? Object.values(SECTIONS) : [section];
  return `colophon: a provenance recording service\n\n${sections.join('\n')}\n\n${FOOT}`;
}
