import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Network } from '@colophon/model';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Authenticate } from '../access/authenticate.js';
import type { FirstKeyHandover } from '../access/first-key-handover.js';
import type { Anchoring } from '../anchors/start-anchoring.js';
import type { Principal } from '../control/api-keys.sql.js';
import type { IntegrityState } from '../integrity/read-integrity-state.js';
import type { Actor, ManagementDeps } from '../management/deps.js';
import type { EnrolUser } from '../management/enrol-user.js';
import type { SessionDeps } from '../management/sessions/deps.js';
import type { Session } from '../management/sessions/session.js';
import type { UsageMeter } from '../management/usage-meter.js';
import type { Work } from '../management/usage-tally.js';
import type { PollInterval } from '../platform/jobs/poll-interval.js';
import type { CredentialDeps } from '../records/credentials/deps.js';
import type { RecordDeps } from '../records/deps.js';
import type { Publishing } from '../records/publishing/create-publishing.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import type { Limits, SignInLimits } from './middleware/limit-requests.js';
import type { Paths } from './middleware/near-paths.js';
import type { JsonReader } from './wire/json-reader.js';

/** Largest JSON body, in bytes, and largest record. */
export const MAX_JSON_BYTES = 2 ** 20;

/** The minimum speed of a sender: this many bytes in each interval, and the whole body within `wholeMs`. */
export interface Pace {
  intervalMs: number;
  minBytes: number;
  wholeMs?: number;
}

/** Named checks; each resolves to a word on the part's state, or rejects when it does not work. */
export type Readiness = Readonly<Record<string, () => Promise<string>>>;

/** Dependencies of the HTTP layer. */
export interface AppDeps {
  version: string;
  records: RecordDeps;
  transparencyLog: TransparencyLogDeps;
  /** Undefined where nothing is anchored. */
  anchoring: Pick<Anchoring, 'wake' | 'counts' | 'closing' | 'anchors'> | undefined;
  credentials: CredentialDeps;
  authenticate: Authenticate;
  /** Hands the first key over to the page. */
  firstKeyHandover: FirstKeyHandover;
  limits: Limits;
  meter: UsageMeter;
  /** Counts of changes of keys and projects that this node noticed, by notification or by polling. */
  changesHeard: Readonly<Record<'listen' | 'poll', number>>;
  readiness: Readiness;
  /** The findings of the integrity check, and the number of items that this process checked. */
  audit: { state: () => Promise<IntegrityState>; checked: ReadonlyMap<string, number> };
  /** Attempts of this process to deliver messages to webhooks, by what they came to. */
  delivered: ReadonlyMap<string, number>;
  /** Reads of records by this process, by who answered them; undefined without a replica. */
  recordReads: Readonly<Record<'replica' | 'primary', number>> | undefined;
  /** The proxies whose information about the caller's address is trusted. */
  trustProxy: boolean | number | string[];
  management: {
    /** Whether an `Authorization` header carries the management secret; undefined when none is set. */
    isSecret: ((authorization: string | undefined) => boolean) | undefined;
    /** The same for the token of `/metrics`. */
    isMetricsToken: ((authorization: string | undefined) => boolean) | undefined;
    enrolUser: EnrolUser;
    deps: ManagementDeps;
    network: Network;
  };
  /** Public histories. */
  publishing: Publishing;
  /** How users of the page sign in. */
  sessions: { deps: SessionDeps; limits: SignInLimits };
  /** Whether the unversioned routes of the published SDK are served. */
  provenanceKitRoutes: boolean;
  /** The minimum speed of a sender; the usual one by default. */
  pace?: Pace;
  /** The minimum speed of the reader of a long answer; the usual one by default. */
  readerPace?: Pace;
  /** Told of each request that may have left work. */
  polls: Pick<PollInterval, 'note'>;
  /** Idempotency scopes of requests under way. */
  running: Set<string>;
  /** Reads what callers send as JSON. */
  json: JsonReader;
  /** How much content the actions of a batch may name. */
  maxBatchContents: number;
  /** How long a form may take to arrive. */
  maxFormMs: number;
  /** Largest accepted file, in bytes. */
  maxUploadBytes: number;
}

/** The web application; routes are typed by their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON body as it was sent; set on `/v1` routes before it is parsed by its schema. */
    sent: unknown;
    /** The principal of the request's key. Set on every `/v1` route before its handler. */
    principal: Principal | undefined;
    /** The user who makes the request. Set on every route of `/management` and of the page before its handler. */
    actor: Actor | undefined;
    /** The user who is signed in. Set on routes of the page that need one, before their handler. */
    session: Session | undefined;
    /** Runs when the answer is sent or its connection closes; set once something is to run then. */
    atClose: (() => void)[] | undefined;
    /** The variable whose bound refused the request, if one did. */
    metBound: string | undefined;
    /** The records of a `/v1` request; undefined when it recorded nothing. */
    recorded: Work | undefined;
    /** Takes what is recorded after the caller of a `/v1` request has gone; set then. */
    tellLate: ((recorded: Work) => void) | undefined;
  }
  interface FastifyInstance {
    /** Reads what callers send as JSON. */
    json: JsonReader;
    /** The documented paths, and the methods of each. */
    documentedPaths: Paths;
  }
  interface FastifyContextConfig {
    /** The JSON body holds many records, and may have more members than one. */
    holdsMany?: true;
    /** Signs somebody in, or tries a password: counted by address before the body is read. */
    triesPassword?: true;
    /** The key permission that a `/v1` route needs; `read` when absent. */
    permission?: 'read' | 'write' | 'admin';
    /** The route acts for the whole project. A key that is bound to one entity may not use it. */
    forProject?: true;
    /** Rests on the word of the holder of the management secret; no user may do it in their own name. */
    vouched?: true;
    /** The route sends bytes of any media type. */
    sendsBytes?: boolean;
    /** Pages of other origins may not ask for it. */
    cors?: false;
    /** Media types that the route sends beside JSON. */
    alsoSends?: readonly string[];
    /** Schema of a body that is documented here and parsed by the handler itself. */
    multipartBody?: unknown;
    /** Media types and schema of a body that is bytes. */
    rawBody?: { mediaTypes: string[]; schema: unknown };
  }
}
