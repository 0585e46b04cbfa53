import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limiter, LimitVerdict } from '../../access/limiter.js';
import type { OpenUnits } from '../../access/open-units.js';
import type { ProjectOwners } from '../../access/project-owners.js';
import type { UploadPace } from '../../access/upload-pace.js';
import { callerIdOf, type Principal } from '../../control/principal.js';
import { ServiceError } from '../../errors.js';
import { networkOf } from '../../platform/net/client-address.js';
import { whenClosed } from '../wire/caller-signal.js';
import { isSafe } from '../wire/is-safe.js';
import { announcedBytes, hasBody } from '../wire/receive-body.js';
import { WHOLE_FORM_BYTES } from '../wire/whole-form.js';
import type { OwnerTurns } from './owner-turns.js';

/** `byAddress` counts failed authentications, and `byVisitor` counts requests without a key. */
export interface Limits {
  byKey: Limiter;
  byProject: Limiter;
  /** Requests of all users of the page in a project. They do not use up the limit of the keys. */
  byProjectMembers: Limiter;
  /** GET and HEAD requests of a user of the page in a project. */
  byMemberReader: Limiter;
  /** Other requests of a user of the page in a project. */
  byMember: Limiter;
  /** Large forms and large raw bodies in progress. */
  uploads: OpenUnits;
  /** Bytes per second of large bodies, by project or address, while other projects have requests. */
  uploadPace: UploadPace;
  /** Bytes of other bodies. Each body, or its parsed JSON, is in memory until the response. */
  bodies: OpenUnits;
  /** Requests in progress. A request ends when its caller has read the complete response. */
  requests: OpenUnits;
  /** Whether projects of other owners have requests, or had some in the last 10 s. */
  hasOtherOwners(projectId: string): boolean;
  turns: OwnerTurns;
  owners: ProjectOwners;
  /** Bytes of long responses, which stay in memory until their callers have read them. */
  answers: OpenUnits;
  /** Maximum number of open connections of a client address, at each port. */
  maxConnections: number;
  byAddress: Limiter;
  byVisitor: Limiter;
  /** Requests for files of the page and of the API reference. */
  byFileReader: Limiter;
  /** Changes from the page, by address. */
  byPage: Limiter;
  /** Reads by the page, by address. */
  byPageReader: Limiter;
  /** Reads by the page, by user. */
  byUser: Limiter;
}

export const LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
];

/** Counts a failed authentication by IPv4 address or IPv6 /64 network. Valid keys behind this address still work. */
export async function countFailure(
  { byAddress }: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const verdict = await byAddress.take(networkOf(request.ip));
  setLimitHeaders(reply, verdict);
  if (!verdict.allowed) throw tooMany('Too many failed authentications from this address.', verdict);
}

export async function countVisitor(
  { byVisitor }: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const verdict = await byVisitor.take(networkOf(request.ip));
  setLimitHeaders(reply, verdict);
  if (!verdict.allowed) throw tooMany('Too many requests from this address.', verdict);
}

/** Returns the error 429 instead of throwing it, and sets no headers. */
export async function countVisitorAt(
  { byVisitor }: Limits,
  address: string,
): Promise<ServiceError | undefined> {
  const verdict = await byVisitor.take(networkOf(address));
  return verdict.allowed ? undefined : tooMany('Too many requests from this address.', verdict);
}

/** This limit is high, because one load of the page needs many files, and people of one office share an address. */
export async function countFile({ byFileReader }: Limits, { ip }: FastifyRequest): Promise<void> {
  const verdict = await byFileReader.take(networkOf(ip));
  if (!verdict.allowed) throw tooMany('Too many requests for files from this address.', verdict);
}

export async function countDetection(
  { byAddress }: { byAddress: Limiter },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const verdict = await byAddress.take(networkOf(request.ip));
  setLimitHeaders(reply, verdict);
  if (!verdict.allowed)
    throw tooMany('Too many detections from this address (PUBLIC_DETECTOR_RPM).', verdict);
}

/** A sign-in with a provider tests no password, so its steps have their own limit. */
export interface SignInLimits {
  byAddress: Limiter;
  byAddressAndAccount: Limiter;
  byAccount: Limiter;
  openIdByAddress: Limiter;
}

export async function countPageChange(
  { byPage }: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const verdict = await byPage.take(networkOf(request.ip));
  setLimitHeaders(reply, verdict);
  if (!verdict.allowed) throw tooMany('Too many changes from this address.', verdict);
}

/** Runs before the service reads the session. The limit is high, because people of one office share an address. */
export async function countPageRead({ byPageReader }: Limits, { ip }: FastifyRequest): Promise<void> {
  const verdict = await byPageReader.take(networkOf(ip));
  if (!verdict.allowed) throw tooManyReads('from this address', verdict);
}

export async function countUserRead({ byUser }: Limits, userId: string): Promise<void> {
  const verdict = await byUser.take(userId);
  if (!verdict.allowed) throw tooManyReads('by this user', verdict);
}

function tooManyReads(whose: string, verdict: LimitVerdict): ServiceError {
  return tooMany(
    `The page sent more than ${verdict.limit} reads ${whose} in 60 s. This limit is a multiple of RATE_LIMIT_RPM + RATE_LIMIT_BURST.`,
    verdict,
    'RATE_LIMIT_RPM',
  );
}

/** Counts successful attempts too. */
export async function countSignIn(
  { byAddress }: SignInLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  enforceVerdict(await byAddress.take(networkOf(request.ip)), reply, 'from this address');
}

/**
 * Counts a sign-in attempt by account and address, and then by account. One address cannot use up the second limit.
 * Other networks cannot lock out a user in a known network: `isKnown` is true if the user signed in from this network
 * before.
 */
export async function countAccount(
  { byAddressAndAccount, byAccount }: SignInLimits,
  account: string,
  {
    request,
    reply,
    isKnown = async () => false,
  }: { request: FastifyRequest; reply: FastifyReply; isKnown?: () => Promise<boolean> },
): Promise<void> {
  const ofBoth = await byAddressAndAccount.take(`${networkOf(request.ip)} ${account}`);
  enforceVerdict(ofBoth, reply, 'from this address to this account');
  const ofAccount = await byAccount.take(account);
  if (!ofAccount.allowed && !(await isKnown())) enforceVerdict(ofAccount, reply, 'to this account');
}

export async function countOpenIdStep(
  { openIdByAddress }: SignInLimits,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  enforceVerdict(await openIdByAddress.take(networkOf(request.ip)), reply, 'from this address');
}

function enforceVerdict(verdict: LimitVerdict, reply: FastifyReply, whose: string): void {
  setLimitHeaders(reply, verdict);
  if (verdict.allowed) return;
  throw tooMany(`Too many attempts to sign in ${whose}. The limit is ${verdict.limit} in 60 s.`, verdict);
}

/**
 * Counts a request for its key or user, for its project, and as a request in progress. The headers show the first
 * limit.
 */
export async function countRequest(
  limits: Limits,
  principal: Principal,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const { byProject, byProjectMembers, requests } = limits;
  const { projectId } = principal;
  const { limiter, whose } = limitOf(limits, principal, request);
  const verdict = await limiter.take(callerIdOf(principal));
  setLimitHeaders(reply, verdict);
  if (!verdict.allowed) throw tooMany(`The rate limit of ${whose} is exceeded.`, verdict);
  const isKey = 'keyId' in principal;
  const ofProject = await (isKey ? byProject : byProjectMembers).take(projectId);
  if (ofProject.allowed) {
    countOpen(requests, projectId, { request, reply });
    return;
  }
  request.metBound = 'PROJECT_RATE_LIMIT_RPM';
  throw tooMany(
    `The ${isKey ? 'keys' : 'users'} of this project made ${ofProject.limit} requests in 60 s, the limit of PROJECT_RATE_LIMIT_RPM.`,
    ofProject,
    'PROJECT_RATE_LIMIT_RPM',
  );
}

/** A view of the page sends many small reads, so a user has a separate limit for reads. */
function limitOf(
  { byKey, byMember, byMemberReader }: Limits,
  principal: Principal,
  { method }: FastifyRequest,
): { limiter: Limiter; whose: string } {
  if ('keyId' in principal) return { limiter: byKey, whose: 'this API key' };
  return {
    limiter: isSafe(method) ? byMemberReader : byMember,
    whose: 'this user in this project',
  };
}

function countOpen(
  requests: OpenUnits,
  projectId: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): void {
  const open = requests.begin(projectId);
  if (open !== undefined) {
    whenClosed(reply, open.end);
    return;
  }
  request.metBound = 'MAX_PROJECT_REQUESTS';
  throw new ServiceError(
    'TooManyRequests',
    `This project has ${requests.limit} requests in progress, the limit of MAX_PROJECT_REQUESTS.`,
    {
      headers: { 'retry-after': '1' },
      recovery:
        'Send the request again after other requests have ended, or ask the operator to raise MAX_PROJECT_REQUESTS.',
    },
  );
}

/** Counts a body until the response: a large form or raw body as one upload, every other body by its bytes. */
export function countBody(
  limits: Limits,
  principal: Principal,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): void {
  const { request, reply } = exchange;
  const { config, bodyLimit } = request.routeOptions;
  if (!hasBody(request.headers)) return;
  const { 'content-type': type = '' } = request.headers;
  const isStreamed = /^multipart\//i.test(type) || config.rawBody !== undefined;
  const sizeBytes = announcedBytes(request.headers);
  if (isStreamed && sizeBytes > WHOLE_FORM_BYTES) countUpload(limits, principal, exchange);
  // A body above the size limit is rejected by its length and takes no memory.
  else countBytes(limits, principal, { reply, bytes: Math.min(sizeBytes, bodyLimit ?? sizeBytes) });
}

function countUpload(
  { uploads }: Limits,
  { projectId, limits }: Principal,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): void {
  const own = limits?.concurrentUploads ?? undefined;
  const upload = uploads.begin(projectId, own);
  if (upload !== undefined) return void whenClosed(reply, upload.end);
  const bound = own === undefined ? 'MAX_PROJECT_UPLOADS' : 'limits.concurrentUploads';
  request.metBound = bound;
  throw new ServiceError(
    'TooManyRequests',
    `This project has ${own ?? uploads.limit} uploads in progress, the limit of ${bound}.`,
    {
      headers: { 'retry-after': '1' },
      recovery: `Send the request again after one of them has ended, or ask the operator to raise ${bound}.`,
    },
  );
}

export function countBytes(
  { bodies }: Pick<Limits, 'bodies'>,
  { projectId }: Principal,
  { reply, bytes }: { reply: FastifyReply; bytes: number },
): void {
  const body = bodies.begin(projectId, undefined, bytes);
  if (body !== undefined) {
    whenClosed(reply, body.end);
    return;
  }
  throw new ServiceError(
    'TooManyRequests',
    `The request bodies of this project exceed ${bodies.limit} bytes together (MAX_PROJECT_BODY_BYTES); this one takes ${bytes} bytes.`,
    {
      bound: 'MAX_PROJECT_BODY_BYTES',
      headers: { 'retry-after': '1' },
      recovery:
        'Send the request again after other requests have ended, or ask the operator to raise MAX_PROJECT_BODY_BYTES.',
    },
  );
}

/** Sets the X-RateLimit-* headers, and the headers of draft ietf-httpapi-ratelimit-headers. */
function setLimitHeaders(reply: FastifyReply, { limit, remaining, resetAt, resetAfter }: LimitVerdict): void {
  reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetAt,
    ratelimit: `"default";r=${remaining};t=${resetAfter}`,
    'ratelimit-policy': `"default";q=${limit};w=60`,
  });
}

/** `variable`: the environment variable of the limit, if the operator can raise it. */
function tooMany(message: string, { resetAfter }: LimitVerdict, variable?: string): ServiceError {
  const orRaise = variable === undefined ? '' : `, or ask the operator to raise ${variable}`;
  return new ServiceError('TooManyRequests', message, {
    headers: { 'retry-after': String(resetAfter) },
    recovery: `Wait ${resetAfter} s${orRaise}.`,
  });
}
