import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createClientAddress, createIsProxy } from '../../platform/net/client-address.js';
import type { AppDeps } from '../app.js';
import { answerHeaders } from '../wire/answer-headers.js';
import { toRawAnswer, writeError } from '../wire/error-writer.js';
import { countVisitorAt } from './limit-requests.js';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

type FrameworkError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Responds to a path that the router rejects. No hook runs for such a request, so this function counts it. It also
 * determines the client address: the framework only knows that of the connection.
 */
export function refuseMalformed({
  limits,
  trustProxy,
}: Pick<AppDeps, 'limits' | 'trustProxy'>): FrameworkError {
  const addressOf = createClientAddress(trustProxy);
  return async (error, request, reply) => {
    reply.headers({ 'x-request-id': request.id, ...answerHeaders() });
    const tooMany = await countVisitorAt(limits, addressOf(request.raw));
    // If the connection stayed open, Node would read and discard a body of any length.
    if (!request.raw.complete) reply.header('connection', 'close');
    writeError(tooMany ?? error, request, reply);
  };
}

type AnswerParserError = (error: NodeJS.ErrnoException, socket: Duplex, exchange?: Exchange) => void;

/**
 * Responds to an error of the HTTP parser. If the response to a complete request is in progress, closes the connection
 * after it instead. Does not count errors of trusted proxies, because they carry the requests of many clients.
 */
export function answerParserErrors({
  limits,
  trustProxy,
}: Pick<AppDeps, 'limits' | 'trustProxy'>): AnswerParserError {
  const isProxy = createIsProxy(trustProxy);
  /** Connections with an error that is already handled. More bytes can arrive before the connection ends. */
  const refused = new WeakSet<Duplex>();

  async function refuse(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
    const { remoteAddress: address } = socket as Partial<Socket>;
    const isCounted = address !== undefined && !isProxy(address, 0) && error.code?.startsWith('HPE_');
    const tooMany = isCounted ? await countVisitorAt(limits, address) : undefined;
    socket.end(toRawAnswer(tooMany ?? error, randomUUID()));
  }

  return (error, socket, exchange) => {
    if (refused.has(socket)) return;
    if (exchange?.request.complete) {
      refused.add(socket);
      exchange.response.once('finish', () => socket.end());
    } else if (socket.writable && !exchange?.response.headersSent) {
      refused.add(socket);
      void refuse(error, socket);
    } else {
      socket.destroy(error);
    }
  };
}
