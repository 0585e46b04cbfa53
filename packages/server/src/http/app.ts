import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Network } from '@colophon/model';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Authenticate } from '../access/authenticate.js';
import type { FirstKeyHandover } from '../access/first-key-handover.js';
import type { PacedUpload } from '../access/upload-pace.js';
import type { Anchoring } from '../anchors/start-anchoring.js';
import type { Principal } from '../control/principal.js';
import type { IntegrityState } from '../integrity/integrity.sql.js';
import type { Actor, ManagementDeps } from '../management/deps.js';
import type { DetectionMeter } from '../management/detection-meter.js';
import type { EnrolUser } from '../management/enrol-user.js';
import type { SessionDeps } from '../management/sessions/deps.js';
import type { Session } from '../management/sessions/session.js';
import type { UsageMeter } from '../management/usage-meter.js';
import type { Work } from '../management/usage-tally.js';
import type { ViewMeter } from '../management/view-meter.js';
import type { PollInterval } from '../platform/jobs/poll-interval.js';
import type { CredentialDeps } from '../records/credentials/deps.js';
import type { RecordDeps } from '../records/deps.js';
import type { Publishing } from '../records/publishing/create-publishing.js';
import type { ReadThumbnail } from '../records/thumbnails/read-thumbnail.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import type { PublicLogs } from '../transparency-log/public-logs.js';
import type { Witnessing } from '../witnesses/start-witnessing.js';
import type { Detector } from './handlers/detector.js';
import type { Limits, SignInLimits } from './middleware/limit-requests.js';
import type { Paths } from './middleware/near-paths.js';
import type { JsonReader } from './wire/json-reader.js';

/** Maximum size of a record, and of a JSON body on a route without a limit of its own, in bytes. */
export const MAX_JSON_BYTES = 2 ** 20;

/** Minimum speed: `minBytes` in each interval, and the complete body within `wholeMs`. */
export interface Pace {
  intervalMs: number;
  minBytes: number;
  wholeMs?: number;
}

/** Default time in milliseconds for which requests share one result of `/readyz` or `/metrics`. */
export const PROBE_AGE_MS = 1_000;

/** One check for each part of the service. It resolves to a short text, or rejects when the part fails. */
export type Readiness = Readonly<Record<string, () => Promise<string>>>;

export interface AppDeps {
  version: string;
  records: RecordDeps;
  transparencyLog: TransparencyLogDeps;
  /** Undefined when no chain is configured. */
  anchoring: Pick<Anchoring, 'wake' | 'counts' | 'closing' | 'anchors' | 'waits'> | undefined;
  witnessing: Pick<Witnessing, 'witnesses' | 'listSilent'> | undefined;
  credentials: CredentialDeps;
  readThumbnail: ReadThumbnail;
  authenticate: Authenticate;
  firstKeyHandover: FirstKeyHandover;
  limits: Limits;
  meter: UsageMeter;
  /**
   * How often this node learned of a possible change of keys or projects, from NOTIFY (`listen`) or from polling
   * (`poll`).
   */
  changesHeard: Readonly<Record<'listen' | 'poll', number>>;
  readiness: Readiness;
  /** Findings of the integrity check, and number of items that this process checked. */
  integrity: { state: () => Promise<IntegrityState>; checked: ReadonlyMap<string, number> };
  /** Webhook delivery attempts of this process, by outcome. */
  delivered: ReadonlyMap<string, number>;
  /** Record reads of this process, by database; undefined without a replica. */
  recordReads: Readonly<Record<'replica' | 'primary', number>> | undefined;
  /** Proxies that the service trusts to report the caller's address. */
  trustProxy: boolean | number | string[];
  management: {
    /** Whether an `Authorization` header carries the management secret; undefined without a secret. */
    isSecret: ((authorization: string | undefined) => boolean) | undefined;
    /** Whether an `Authorization` header carries the token of `/metrics`; undefined without such a token. */
    isMetricsToken: ((authorization: string | undefined) => boolean) | undefined;
    enrolUser: EnrolUser;
    deps: ManagementDeps;
    network: Network;
  };
  publishing: Publishing;
  publicLogs: PublicLogs;
  /** Undefined without PUBLIC_DETECTOR. */
  detector: Detector | undefined;
  detections: DetectionMeter;
  views: ViewMeter;
  sessions: { deps: SessionDeps; limits: SignInLimits };
  provenanceKitRoutes: boolean;
  /** Minimum speed of a sender; default: `USUAL_PACE`. */
  pace?: Pace;
  /** Minimum speed of the reader of a long response; default: `READER_PACE`. */
  readerPace?: Pace;
  /** Default: `PROBE_AGE_MS`. */
  probeAgeMs?: number;
  /** Rendered descriptions of the API; default: the file from the build. */
  documentsFile?: URL;
  /** Called at the beginning and at the end of each request that may queue work. */
  polls: Pick<PollInterval, 'note'>;
  /** Idempotency scopes of the requests in progress. */
  running: Set<string>;
  json: JsonReader;
  /** Maximum number of contents that the actions of one request may name. */
  maxContents: { batch: number; preview: number };
  /** Time limit for receiving a form. */
  maxFormMs: number;
  maxUploadBytes: number;
}

export type RecordReadDeps = Pick<AppDeps, 'records' | 'transparencyLog'>;
export type RecordWriteDeps = RecordReadDeps & Pick<AppDeps, 'anchoring' | 'running'>;
export type ControlRouteDeps = Pick<AppDeps, 'management' | 'running'>;
export type PageRouteDeps = ControlRouteDeps & Pick<AppDeps, 'sessions' | 'limits'>;

/** Routes are typed by their zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON body as the caller sent it. Set on routes of a project, before the schema parses the body. */
    sent: unknown;
    /** Set on every route of a project before its handler. */
    principal: Principal | undefined;
    /** Set on the routes under `/management`, and on page routes with a `session`. */
    actor: Actor | undefined;
    /** Set on page routes that need a session, except the routes of a project. */
    session: Session | undefined;
    /** Waits for the turn to parse this JSON text; undefined when the request cannot have a large JSON body. */
    beginParse: ((bytes: Uint8Array) => Promise<void>) | undefined;
    /** Counts the memory of a parsed JSON text until the response. Throws 429 at the limit of the project. */
    countParsed: ((bytes: number) => void) | undefined;
    /** Ends the turn of `beginParse`. */
    endParse: (() => void) | undefined;
    /** Paces the reads of a large body; undefined for a small body. */
    pacedUpload: PacedUpload | undefined;
    /** Ends the reservation of memory for the parsed body. */
    dropBody: (() => void) | undefined;
    /** Steps for the end of the response or of its connection; undefined until one is added. */
    atClose: (() => void)[] | undefined;
    /** The limit that rejected the request: an environment variable or a limit of the project. */
    metBound: string | undefined;
    /** Recorded work, which counts as usage; undefined when the request recorded nothing. */
    recorded: Work | undefined;
    /** Meters work after the caller has disconnected. Set when the caller disconnects. */
    meterLate: ((recorded: Work) => void) | undefined;
  }
  interface FastifyInstance {
    json: JsonReader;
    documentedPaths: Paths;
  }
  interface FastifyContextConfig {
    /** The JSON body contains many records, so `JsonReader` allows more members. */
    holdsMany?: true;
    /** Tests a password or signs a user in. Requests are counted by address before the body is read. */
    triesPassword?: true;
    /** The form must arrive within the time limit of a JSON body. */
    hasBriefForm?: true;
    /** The key permission that a route of a project needs; `read` when absent. */
    permission?: 'read' | 'write' | 'admin';
    /** A key that is bound to one entity may not use the route. */
    forProject?: true;
    /** Only the management secret authorises this route; a user session does not. */
    vouched?: true;
    /** The route sends bytes of any media type. */
    sendsBytes?: boolean;
    /** Allows `Prefer: absent=no-content`. */
    allowsNoContent?: boolean;
    /** Pages of other origins may not request the route. */
    cors?: false;
    /** Media types that the route sends in addition to JSON. */
    alsoSends?: readonly string[];
    /** Only the API document uses this: the handler parses the form itself. */
    multipartBody?: unknown;
    /** Media types and schema of a body of bytes, for the API document. */
    rawBody?: { mediaTypes: string[]; schema: unknown };
  }
}
