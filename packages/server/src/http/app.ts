import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Network } from '@colophon/model';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Authenticate } from '../access/authenticate.js';
import type { FirstKeyHandover } from '../access/first-key-handover.js';
import type { Anchoring } from '../anchors/start-anchoring.js';
import type { Principal } from '../control/api-keys.sql.js';
import type { IntegrityState } from '../integrity/integrity.sql.js';
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

/** Named checks; each resolves to a short state of the part, or rejects when the part does not work. */
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
  /** Number of key and project changes that this node noticed, by notification or by polling. */
  changesHeard: Readonly<Record<'listen' | 'poll', number>>;
  readiness: Readiness;
  /** The findings of the integrity check, and the number of items that this process checked. */
  integrity: { state: () => Promise<IntegrityState>; checked: ReadonlyMap<string, number> };
  /** Webhook delivery attempts of this process, by outcome. */
  delivered: ReadonlyMap<string, number>;
  /** Record reads of this process, by the database that served them; undefined without a replica. */
  recordReads: Readonly<Record<'replica' | 'primary', number>> | undefined;
  /** Proxies that the service trusts to report the caller's address. */
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
  publishing: Publishing;
  /** How users of the page sign in. */
  sessions: { deps: SessionDeps; limits: SignInLimits };
  /** Whether the unversioned routes of the ProvenanceKit SDK are served. */
  provenanceKitRoutes: boolean;
  /** The minimum speed of a sender; `USUAL_PACE` by default. */
  pace?: Pace;
  /** The minimum speed of the reader of a long answer; the usual one by default. */
  readerPace?: Pace;
  /** Called after each request that may have queued work. */
  polls: Pick<PollInterval, 'note'>;
  /** Idempotency scopes of the requests in progress. */
  running: Set<string>;
  /** Reads the JSON that callers send. */
  json: JsonReader;
  /** Most content items that the actions of a batch may name. */
  maxBatchContents: number;
  /** Time limit for receiving a form. */
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
    /** The JSON body as the caller sent it. Set on `/v1` routes before the schema parses it. */
    sent: unknown;
    /** The principal of the request's key. Set on every `/v1` route before its handler. */
    principal: Principal | undefined;
    /** The user who makes the request. Set on every route of `/management` and of the page before its handler. */
    actor: Actor | undefined;
    /** The user who is signed in. Set on routes of the page that need one, before their handler. */
    session: Session | undefined;
    /** Steps that run when the answer is sent or its connection closes; undefined until one is added. */
    atClose: (() => void)[] | undefined;
    /** The environment variable of the limit that rejected the request, if any. */
    metBound: string | undefined;
    /** The records of a `/v1` request; undefined when it recorded nothing. */
    recorded: Work | undefined;
    /** Receives records made after the caller of a `/v1` request disconnects; set at that time. */
    meterLate: ((recorded: Work) => void) | undefined;
  }
  interface FastifyInstance {
    /** Reads the JSON that callers send. */
    json: JsonReader;
    documentedPaths: Paths;
  }
  interface FastifyContextConfig {
    /** The JSON body holds many records, and may have more members than one. */
    holdsMany?: true;
    /** The route signs a user in or checks a password. Its requests are counted by address before the body is read. */
    triesPassword?: true;
    /** The key permission that a `/v1` route needs; `read` when absent. */
    permission?: 'read' | 'write' | 'admin';
    /** The route acts for the whole project. A key that is bound to one entity may not use it. */
    forProject?: true;
    /** Only the management secret allows this route; a user session does not. */
    vouched?: true;
    /** The route sends bytes of any media type. */
    sendsBytes?: boolean;
    /** Pages of other origins may not request the route. */
    cors?: false;
    /** Media types that the route sends in addition to JSON. */
    alsoSends?: readonly string[];
    /** Schema of a body that is documented here and parsed by the handler itself. */
    multipartBody?: unknown;
    /** Media types and schema of a body that is bytes. */
    rawBody?: { mediaTypes: string[]; schema: unknown };
  }
}
