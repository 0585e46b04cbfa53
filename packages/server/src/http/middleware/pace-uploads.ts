import { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { OpenUnits } from '../../access/open-units.js';
import type { PacedUpload, UploadPace } from '../../access/upload-pace.js';
import { networkOf } from '../../platform/net/client-address.js';
import type { App } from '../app.js';
import { hasLargeBody } from '../wire/receive-body.js';

/** A project counts as a project with requests for this time after its last response. */
const PAUSE_BETWEEN_REQUESTS_MS = 1_000;

/**
 * Limits the speed of the large bodies of a project while other projects have requests. While other owners have
 * requests, the projects of an owner share one limit. A network without a key counts as a project. Above the limit, the
 * service does not read from the connections. Also paces the rest of a rejected body.
 */
export function paceUploads(
  app: App,
  {
    requests,
    uploadPace,
  }: { requests: Pick<OpenUnits, 'hasOthers' | 'hasOtherOwners'>; uploadPace: UploadPace },
): void {
  function begin(request: FastifyRequest): void {
    const { raw } = request;
    // A sender that has already left causes no event that would end the upload.
    if (raw.destroyed || raw.socket.destroyed) return;
    if (request.pacedUpload !== undefined || !hasLargeBody(raw.headers)) return;
    const { principal, ip } = request;
    const id = principal?.projectId ?? networkOf(ip);
    const upload = uploadPace.begin(id);
    const owner = principal?.owner ?? undefined;
    request.pacedUpload =
      owner === undefined
        ? upload
        : chooseUpload([upload, uploadPace.begin(`owner ${owner}`)], () =>
            requests.hasOtherOwners(id, PAUSE_BETWEEN_REQUESTS_MS),
          );
    paceReads(request, request.pacedUpload, () => requests.hasOthers(id, PAUSE_BETWEEN_REQUESTS_MS));
  }

  app.decorateRequest('pacedUpload', undefined);
  // The request has its principal, and nothing has read the body yet.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    begin(request);
    done(null, payload);
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    if (!request.raw.complete) {
      begin(request);
      if (request.pacedUpload !== undefined) readOnce(request);
    }
    done();
  });
}

/** Each turn is one of the project, or of its owner if `isOfOwner` returns true. */
function chooseUpload(
  [ofProject, ofOwner]: readonly [PacedUpload, PacedUpload],
  isOfOwner: () => boolean,
): PacedUpload {
  let turn = ofProject;
  return {
    beforeRead(read) {
      if (!turn.isWaiting()) turn = isOfOwner() ? ofOwner : ofProject;
      turn.beforeRead(read);
    },
    received: (bytes) => turn.received(bytes),
    isWaiting: () => turn.isWaiting(),
    waitedMs: () => ofProject.waitedMs() + ofOwner.waitedMs(),
    end() {
      ofProject.end();
      ofOwner.end();
    },
  };
}

/** Reads one chunk without a turn. Node discards a body at full speed if nothing of it was read before the response. */
function readOnce({ raw }: FastifyRequest): void {
  IncomingMessage.prototype._read.call(raw, 0);
}

/**
 * Node reads after `_read`, and stops when `push` returns false. So `_read` waits for a turn, which ends with the next
 * chunk.
 */
function paceReads({ raw }: FastifyRequest, upload: PacedUpload, isContended: () => boolean): void {
  // After the response, Node closes the socket without an event of the request.
  const { socket } = raw;
  let turnBytes: number | undefined;
  const endTurn = () => {
    if (turnBytes !== undefined) upload.received(turnBytes);
    turnBytes = undefined;
  };
  const end = () => {
    raw.off('close', end);
    socket.off('close', end);
    endTurn();
    upload.end();
  };
  raw.once('close', end);
  socket.once('close', end);
  const read = raw._read.bind(raw);
  const push = raw.push.bind(raw);
  raw._read = (size) => {
    endTurn();
    if (!isContended()) return read(size);
    upload.beforeRead(() => {
      turnBytes = 0;
      read(size);
    });
  };
  raw.push = (chunk: Buffer | null) => {
    const wantsMore = push(chunk);
    if (chunk === null) {
      end();
      return wantsMore;
    }
    const isWaiting = upload.isWaiting();
    if (turnBytes !== undefined) turnBytes += chunk.length;
    return wantsMore && turnBytes === undefined && !isWaiting;
  };
}
