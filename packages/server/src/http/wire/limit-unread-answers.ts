import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { App, AppDeps, Pace } from '../app.js';
import { whenClosed } from './caller-signal.js';

/**
 * Time in which the operating system must accept at least one waiting byte. It accepts them in steps of up to 1.5 MiB,
 * so a reader with about 5 KiB/s keeps its connection.
 */
const READER_PACE: Pace = { intervalMs: 300_000, minBytes: 1 };
const LOOKS_PER_INTERVAL = 6;
/** The operating system buffers about this many bytes of a response. */
const LONG_BYTES = 2 ** 16;
/** Number of pieces that a response sends before other requests run. */
const PIECES_IN_TURN = 4;

/** A long response, sent in pieces so that progress can be measured. */
export class LongAnswer extends Readable {
  readonly #pieces: Iterator<Buffer>;
  #sent = 0;

  /** `sizeBytes`: memory that this response alone needs; 0 for bytes that the service keeps anyway. */
  constructor(
    pieces: readonly Buffer[],
    readonly sizeBytes: number,
  ) {
    super();
    this.#pieces = pieces[Symbol.iterator]();
  }

  override _read(): void {
    const isTurnOver = this.#sent > 0 && this.#sent % PIECES_IN_TURN === 0;
    if (isTurnOver) setImmediate(() => this.#sendPiece());
    else this.#sendPiece();
  }

  #sendPiece(): void {
    if (this.destroyed) return;
    this.#sent++;
    const next = this.#pieces.next();
    this.push(next.done ? null : next.value);
  }
}

/** Callers whose unread responses count together, and their name in errors. */
interface AnswerOwner {
  id: string;
  name: 'this project' | 'this address';
}

/**
 * Limits the memory of unread responses, for all routes that are added after this call. Above the limit, a request that
 * only reads gets 429 if its owner has other unread responses. The response to a change is always sent, because the
 * change has already happened. Closes the connection of a slow reader.
 */
export function limitUnreadAnswers(
  app: App,
  { limits, readerPace = READER_PACE }: Pick<AppDeps, 'limits' | 'readerPace'>,
  ownerOf: (request: FastifyRequest) => AnswerOwner,
): void {
  const limit: onSendAsyncHookHandler = async (request, reply, payload) => {
    if (request.method === 'HEAD') return payload;
    const answer = toLongAnswer(reply, payload);
    if (!(answer instanceof Readable)) return answer;
    if (answer instanceof LongAnswer && answer.sizeBytes > 0) {
      const counted = count(limits.answers, ownerOf(request), { reply, answer });
      whenClosed(reply, counted.end);
    }
    const watch = cutSlowReader(request.raw.socket, readerPace);
    whenClosed(reply, watch.end);
    return answer;
  };
  app.addHook('onRoute', (route) => {
    // Hooks of a route run last, so the response already has its `ETag`.
    route.onSend = [route.onSend ?? [], limit].flat();
  });
}

function toLongAnswer(reply: FastifyReply, payload: unknown, sizeBytes?: number): unknown {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  if (payload.length <= LONG_BYTES) return payload;
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-length', bytes.length);
  const count = Math.ceil(bytes.length / LONG_BYTES);
  const pieces = Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * LONG_BYTES, (at + 1) * LONG_BYTES),
  );
  return new LongAnswer(pieces, sizeBytes ?? bytes.length);
}

/** Returns a response with bytes that the service keeps in memory anyway. It does not count as unread. */
export function toKeptAnswer(reply: FastifyReply, bytes: Buffer): unknown {
  return reply.request.method === 'HEAD' ? bytes : toLongAnswer(reply, bytes, 0);
}

/** Whether a 429 may replace the response after the execution. */
function changesNothing({ method, principal, routeOptions }: FastifyRequest): boolean {
  const { permission = 'read' } = routeOptions.config;
  return method === 'GET' || (principal !== undefined && permission === 'read');
}

function count(
  answers: AppDeps['limits']['answers'],
  { id, name: ownerName }: AnswerOwner,
  { reply, answer }: { reply: FastifyReply; answer: LongAnswer },
): { end(): void } {
  const { sizeBytes } = answer;
  const isRead = changesNothing(reply.request);
  const units = isRead ? Math.min(sizeBytes, answers.limit) : sizeBytes;
  const counted = answers.begin(id, isRead ? undefined : Number.POSITIVE_INFINITY, units);
  if (counted !== undefined) return counted;
  answer.destroy();
  for (const name of ['etag', 'content-length', 'content-encoding', 'cache-control'])
    reply.removeHeader(name);
  throw tooManyUnread(
    answers.limit,
    `This response of ${sizeBytes} bytes and the long responses that ${ownerName} has not read yet exceed the limit.`,
  );
}

/** Counts the memory of a response, such as a CAR, until it is sent. Throws 429 at the limit. */
export function countAnswerMemory(
  answers: AppDeps['limits']['answers'],
  reply: FastifyReply,
  { projectId, sizeBytes }: { projectId: string; sizeBytes: number },
): void {
  const counted = answers.begin(projectId, undefined, Math.min(sizeBytes, answers.limit));
  if (counted === undefined)
    throw tooManyUnread(
      answers.limit,
      `This response takes ${sizeBytes} bytes of memory. Together with the responses that this project has not read yet, it exceeds the limit.`,
      'Read or cancel the responses in progress, then send the request again. You can also ask the operator to raise MAX_PROJECT_ANSWER_BYTES.',
    );
  whenClosed(reply, counted.end);
}

export function assertAnswersRead(
  { limit, isExceeded }: AppDeps['limits']['answers'],
  projectId: string,
): void {
  if (isExceeded(projectId))
    throw tooManyUnread(limit, 'This project has long responses that it has not read yet.');
}

const REQUEST_LESS =
  'Read or cancel the responses in progress, then send the request again. You can also request less with limit and depth, or ask the operator to raise MAX_PROJECT_ANSWER_BYTES.';

function tooManyUnread(limitBytes: number, fault: string, recovery = REQUEST_LESS): ServiceError {
  return new ServiceError(
    'TooManyRequests',
    `${fault} The limit is ${limitBytes} bytes for all unread responses together (MAX_PROJECT_ANSWER_BYTES).`,
    {
      bound: 'MAX_PROJECT_ANSWER_BYTES',
      headers: { 'retry-after': '10' },
      recovery,
    },
  );
}

/** Closes the connection when its reader takes less than `minBytes` per interval while bytes wait. */
function cutSlowReader(socket: Socket, { intervalMs, minBytes }: Pace): { end(): void } {
  let looks = 0;
  let takenBefore = 0;
  const look = () => {
    const takenBytes = socket.bytesWritten - socket.writableLength;
    if (looks === 0) takenBefore = takenBytes;
    // Without waiting bytes, the source of the response is slow, not the reader.
    looks = socket.writableLength === 0 ? 0 : looks + 1;
    if (looks <= LOOKS_PER_INTERVAL) return;
    if (takenBytes - takenBefore < minBytes) socket.destroy();
    looks = 0;
  };
  const timer = setInterval(look, intervalMs / LOOKS_PER_INTERVAL);
  return { end: () => clearInterval(timer) };
}
