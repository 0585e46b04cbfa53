import { randomBytes, randomUUID } from 'node:crypto';
import { toMessage } from '../support/connection.mjs';
import { cidOf } from '../support/content-ids.mjs';
import { BOUNDARY, toForm } from '../support/media-calls.mjs';
import { PERFORMER, toActionBody } from '../support/typical-action.mjs';
import {
  alteredTextOf,
  ENTITIES,
  endOf,
  entityIdOf,
  HISTORIES,
  POPULAR,
  TEXTS,
  textOf,
} from './contents.mjs';

const FILE_BYTES = 10_240;
const BATCH = 100;
const PLANTED = 4;
/** Texts with this number or a higher one are in no store. */
const FRESH_TEXTS = 1_000_000;

/** `make` returns the next `{ message, status }` of a row. `judge` checks a response and counts its matches. */
export function createRequests() {
  const [nextEntity, nextHistory, nextText] = [counter(), counter(), counter()];
  const get = (path) => {
    const messages = new Map();
    return ({ key }) => {
      if (!messages.has(key)) messages.set(key, toMessage({ path, key }));
      return { message: messages.get(key), status: 200 };
    };
  };
  const chain = createChain();
  return {
    alone: { make: get('/') },
    healthz: { make: get('/healthz') },
    entity: {
      make: ({ key }) => {
        const path = `/v1/entity/${encodeURIComponent(entityIdOf(nextEntity() % ENTITIES))}`;
        return { message: toMessage({ path, key }), status: 200 };
      },
    },
    bundle: {
      make: ({ key }) => {
        const path = `/v1/bundle/${endOf(nextHistory() % HISTORIES)}`;
        return { message: toMessage({ path, key }), status: 200 };
      },
      judge: assertBundle,
    },
    'same-bundle': { make: get(`/v1/bundle/${endOf(0)}`) },
    action: { make: ({ key, caller }) => toPost('/v1/action', { key, body: chain(caller) }) },
    batch: {
      make: ({ key, caller }) => {
        const actions = Array.from({ length: BATCH }, () => chain(caller));
        return toPost('/v1/batch', { key, body: { actions } });
      },
    },
    file: { make: ({ key }) => toUpload(randomBytes(FILE_BYTES), { key }) },
    text: { make: ({ key }) => nextTextUpload(nextText(), key), judge: judgeMatches },
  };
}

function counter() {
  let next = 0;
  return () => next++;
}

/** Each action of a caller uses the popular content and the output of the caller's previous action. */
function createChain() {
  const last = new Map();
  const sessionId = randomUUID();
  return (caller) => {
    const output = cidOf(randomUUID());
    const inputs = last.has(caller) ? [POPULAR, last.get(caller)] : [POPULAR];
    last.set(caller, output);
    return toActionBody({ inputs, output, sessionId: `${sessionId} ${caller}` });
  };
}

function toPost(path, { key, body }) {
  return { message: toMessage({ method: 'POST', path, key, body: JSON.stringify(body) }), status: 201 };
}

function nextTextUpload(number, key) {
  if (number % PLANTED !== 0) return toUpload(Buffer.from(textOf(FRESH_TEXTS + number)), { key });
  const original = (number / PLANTED) % TEXTS;
  const copy = Buffer.from(alteredTextOf(original, number));
  return { ...toUpload(copy, { key }), original: textCidOf(original) };
}

export function toUpload(bytes, { key }) {
  const json = { entity: { id: PERFORMER, role: 'ai' }, action: { type: 'create' } };
  const form = toForm(bytes, json);
  const head =
    `POST /v1/activity HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${form.length}\r\n\r\n`;
  return { message: Buffer.concat([Buffer.from(head), form]), status: 201 };
}

const textCids = new Map();

function textCidOf(number) {
  if (!textCids.has(number)) textCids.set(number, cidOf(textOf(number)));
  return textCids.get(number);
}

/** Parsing would cost the callers as much CPU as the service uses. */
function assertBundle(_tally, _request, { body }) {
  const actions = body.latin1Slice().match(/"performedBy"/g)?.length;
  if (actions !== 3) throw new Error(`Expected a bundle of 3 actions, but it has ${actions}`);
}

function judgeMatches(tally, { original }, { body }) {
  const { matches, matchesComplete } = JSON.parse(body);
  if (matchesComplete !== undefined) {
    tally.asked++;
    if (matchesComplete) tally.complete++;
  }
  if (original === undefined) return;
  tally.planted++;
  if (matches.some(({ cid }) => cid === original)) tally.found++;
}
