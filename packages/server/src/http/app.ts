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

/** Minimum speed of a sender or a reader: `minBytes` in each interval, and the complete body within `wholeMs`. */
export interface Pace {
  intervalMs: number;
  minBytes: number;
  wholeMs?: number;
}

/** Default time in milliseconds for which requests share one result of `/readyz` or `/metrics`. */
export const PROBE_AGE_MS = 1_000;

/**
 * One check for each part of the service, by name. A check resolves to a short text, or rejects when the part fails.
 */
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
   * Number of times that this node learned of a possible change of keys or projects: from NOTIFY (`listen`), or from
   * its polling (`poll`).
   */
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
  /** Counts the findings of the detector by project. */
  detections: DetectionMeter;
  /** Counts the reads of publications. */
  views: ViewMeter;
  sessions: { deps: SessionDeps; limits: SignInLimits };
  /** Whether the unversioned routes of the ProvenanceKit SDK are served. */
  provenanceKitRoutes: boolean;
  /** The minimum speed of a sender; `USUAL_PACE` by default. */
  pace?: Pace;
  /** Minimum speed of the reader of a long response; default: `READER_PACE`. */
  readerPace?: Pace;
  /** Time for which requests share one result of `/readyz` or `/metrics`; default: `PROBE_AGE_MS`. */
  probeAgeMs?: number;
  /** The file with the rendered descriptions of the API; default: the file from the build. */
  documentsFile?: URL;
  /** Called at the beginning and at the end of each request that may queue work. */
  polls: Pick<PollInterval, 'note'>;
  /** Idempotency scopes of the requests in progress, so that the same request does not run twice at the same time. */
  running: Set<string>;
  json: JsonReader;
  /** Maximum number of contents that the actions may name in one batch, and in one preview of shares. */
  maxContents: { batch: number; preview: number };
  /** Time limit for receiving a form. */
  maxFormMs: number;
  maxUploadBytes: number;
}

/** Dependencies of the routes that read and prove records. */
export type RecordReadDeps = Pick<AppDeps, 'records' | 'transparencyLog'>;
/** Dependencies of the routes that record. */
export type RecordWriteDeps = RecordReadDeps & Pick<AppDeps, 'anchoring' | 'running'>;
/** Dependencies of the routes of the control plane. */
export type ControlRouteDeps = Pick<AppDeps, 'management' | 'running'>;
/** Dependencies of the page's routes: those of the control plane, and sign-in. */
export type PageRouteDeps = ControlRouteDeps & Pick<AppDeps, 'sessions' | 'limits'>;

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
    /** The JSON body as the caller sent it. Set on routes of a project, before the schema parses the body. */
    sent: unknown;
    /**
     * Set on every route of a project before its handler: below `/v1`, below `/app/api/projects`, and on the
     * unversioned routes.
     */
    principal: Principal | undefined;
    /**
     * The user of a request. Set before the handler, on the routes under `/management` and on the page routes that have
     * a `session`.
     */
    actor: Actor | undefined;
    /**
     * The session of a signed-in user. Set before the handler on page routes that need a session, except the routes of
     * a project.
     */
    session: Session | undefined;
    /** Waits for the turn to parse this JSON text; undefined when the request cannot have a large JSON body. */
    beginParse: ((bytes: Uint8Array) => Promise<void>) | undefined;
    /** Counts the memory of a parsed JSON text until the response. Throws 429 above the limit of the project. */
    countParsed: ((bytes: number) => void) | undefined;
    /** Ends the turn of `beginParse`. */
    endParse: (() => void) | undefined;
    /** Decides when the service reads the next chunk of a large body; undefined for a small body. */
    pacedUpload: PacedUpload | undefined;
    /** Ends the reservation of memory for the parsed body. */
    dropBody: (() => void) | undefined;
    /** Functions to call when the response is sent or its connection closes; undefined until one is added. */
    atClose: (() => void)[] | undefined;
    /** Name of the limit that rejected the request, if any: an environment variable or a limit of the project. */
    metBound: string | undefined;
    /** The recorded work of the request, which counts as usage; undefined when the request recorded nothing. */
    recorded: Work | undefined;
    /** Meters work that the handler does after the caller has disconnected. Set when the caller disconnects. */
    meterLate: ((recorded: Work) => void) | undefined;
  }
  interface FastifyInstance {
    json: JsonReader;
    documentedPaths: Paths;
  }
  interface FastifyContextConfig {
    /** The JSON body contains many records, so `JsonReader` allows more object members in it than in one record. */
    holdsMany?: true;
    /**
     * The route checks a password or signs a user in. The service counts the requests for this route by address before
     * it reads the body.
     */
    triesPassword?: true;
    /** The form is small, so it must arrive completely within the time limit of a JSON body. */
    hasBriefForm?: true;
    /** The key permission that a route of a project needs; `read` when absent. */
    permission?: 'read' | 'write' | 'admin';
    /** The route acts for the whole project. A key that is bound to one entity may not use it. */
    forProject?: true;
    /** Only the management secret authorises this route; a user session does not. */
    vouched?: true;
    /** The route sends bytes of any media type. */
    sendsBytes?: boolean;
    /** Whether the caller can request 204 in place of the error `NotFound`, with `Prefer: absent=no-content`. */
    allowsNoContent?: boolean;
    /** Pages of other origins may not request the route. */
    cors?: false;
    /** Media types that the route sends in addition to JSON. */
    alsoSends?: readonly string[];
    /** Schema of a form, for the API document only: the handler parses the form. */
    multipartBody?: unknown;
    /** Media types and schema of a body of bytes, for the API document. */
    rawBody?: { mediaTypes: string[]; schema: unknown };
  }
}
