// Expensive requests, and the data that they need. Without fair scheduling, they would block the service.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import sharp from 'sharp';
import { makeBoxes } from './boxes.mjs';
import { makeFilm } from './generated-media.mjs';
import { BOUNDARY, toForm } from './media-calls.mjs';

const LAYERS = 24;
const WIDTH = 40;
/** Number of actions of a wide history. */
const WIDE_ACTIONS = 1_000;
const WIDE_CIDS = 999;
const WIDE_ACTIONS_A_BATCH = 2;
/** Side of an interlaced picture with 16 bits in each channel. The decoder needs 9,990 x 9,990 x 3 x 2 bytes. */
const EDGE = 9_990;
const FILM_BYTES = 42 * 10 ** 6;
const LARGE_PICTURE_EDGE = 3_700;
const PROOFS = 64;
const PROVEN_ACTIONS = 3_000;
const PROVEN_ACTIONS_A_BATCH = 500;
const MANY_CIDS = 1_000;
const LARGE_RECORDS = 37;
/** Number of characters. */
const LARGE_RECORD = 900_000;
/** A character of these records has two bytes in UTF-8. */
const LISTED_RECORDS = 400;
const LISTED_CHARACTERS = 2_500;
/** A project with ten keys may send ten times as many requests as one key. */
export const MAX_KEYS = 10;
/** U+FDFA: a letter that Unicode normalisation (NFKC) replaces by 18 letters. */
const LIGATURE = '\u{fdfa}';
const SEARCHED_CHARACTERS = 8_000;
/** Number of actions of a session. */
const SESSION_ACTIONS = 200;
const SESSION_CIDS = 20;
/** Texts that look like content ids. The body has less than 64 KiB, so the service parses it outside the fair queue. */
const LONG_DIGITS = 500;
const SHARED_CONTENTS = 100;
const SHARED_DEPTH = 20;
const MEMBERS = 100_000;
const SOON_MS = 200;
/**
 * The largest batch that the service accepts with the defaults of MAX_BATCH_RECORDS and MAX_BATCH_CONTENTS. `ofKind`:
 * number of records of each kind.
 */
const LARGEST_BATCH = {
  postgres: { ofKind: 1_000, contents: 10_000 },
  embedded: { ofKind: 333, contents: 2_000 },
};

/**
 * Records the data for the attacks in the attacker's project. The attacker sends `atOnce` requests at a time, with
 * `keys` keys (1 by default). If set, `leaveAfterMs` aborts each request. With `isKeyless`, it sends no key. The
 * attacks "all together" omit those with `isApart`.
 */
export async function prepareAttacks(post, engine) {
  const json = (path, value) => ({
    path,
    method: 'POST',
    type: 'application/json',
    body: Buffer.from(JSON.stringify(value)),
  });
  const form = (path, file, said) => ({
    path,
    method: 'POST',
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: toForm(file, said),
  });
  await post(json('/v1/entity', { id: 'attacker', role: 'human' }));
  await recordLayers(post, json);
  await recordWide(post, json);
  await recordLine(post, json);
  await recordLarge(post, json);
  await recordSession(post, json);
  await recordListed(post, json);
  const said = { entity: { id: 'attacker', role: 'human' } };
  const picture = await post(form('/v1/activity', await makeNoise(), said));
  const title = {
    entityId: 'attacker',
    title: 'film',
    generator: { name: 'b', version: '1' },
    aiDisclosure: 'ai_assisted',
  };
  const film = await post(form('/v1/media/embed', makeFilm(FILM_BYTES), title));
  const manifest = `/v1/c2pa/manifests/${encodeURIComponent(film.manifest.label)}`;
  const leave = { leaveAfterMs: SOON_MS };
  return {
    histories: {
      atOnce: 30,
      requests: tops().map((cid) => ({ path: `/v1/graph/${cid}?depth=32&limit=1000` })),
    },
    'wide histories': { atOnce: 30, requests: [{ path: `/v1/bundle/${wideCid(WIDE_ACTIONS)}` }] },
    searches: { atOnce: 66, requests: [{ ...form('/v1/search/file', await makeInterlaced()), ...leave }] },
    media: { atOnce: 2, requests: [form('/v1/media/extract', makeBoxes())] },
    manifests: { atOnce: 40, requests: [{ path: manifest }] },
    similar: { atOnce: 25, requests: [{ path: `/v1/similar/${picture.cid}`, ...leave }] },
    proofs: { atOnce: 4, requests: Array.from({ length: 20 }, () => json('/v1/batch', makeWrongBatch())) },
    json: {
      atOnce: 12,
      requests: [
        { ...json('/app/api/session', manyMembers(830_000 / 14)), isKeyless: true },
        json('/v1/entity', { id: 'many', role: 'human', metadata: manyMembers(MEMBERS / 2) }),
      ],
    },
    'actions with many names': {
      isApart: true,
      atOnce: 16,
      requests: Array.from({ length: 80 }, (_, place) => json('/v1/action', nameMany(place))),
    },
    'large batches': {
      isApart: true,
      atOnce: 14,
      requests: Array.from({ length: 20 }, () => json('/v1/batch', makeLargeBatch(LARGEST_BATCH[engine]))),
    },
    'lists of large records': {
      isApart: true,
      atOnce: 40,
      requests: [{ path: '/v1/actions?sessionId=large&limit=200' }],
    },
    ...withTenKeys(json),
    sessions: { isApart: true, atOnce: 40, requests: [{ path: '/v1/session/long/provenance' }] },
    'proven bundles': {
      isApart: true,
      atOnce: 6,
      requests: [{ path: `/v1/bundle/${lineCid(PROVEN_ACTIONS)}?proof=true` }],
    },
  };
}

function withTenKeys(json) {
  const apart = { isApart: true, keys: MAX_KEYS };
  return {
    'long lists with ten keys': {
      ...apart,
      atOnce: 800,
      requests: Array.from({ length: 80 }, (_, place) => ({
        path: `/v1/actions?sessionId=listed&limit=200&offset=${place}`,
      })),
    },
    'text searches with ten keys': {
      ...apart,
      atOnce: 800,
      requests: [json('/v1/search/text', { text: LIGATURE.repeat(SEARCHED_CHARACTERS) })],
    },
    'long digits with ten keys': {
      ...apart,
      atOnce: 80,
      requests: [json('/v1/titles', { cids: longDigits() })],
    },
    'shares of many contents with ten keys': {
      ...apart,
      atOnce: 80,
      requests: [json('/distribution/preview', { cids: manyLineCids(), depth: SHARED_DEPTH })],
    },
    'small actions with ten keys': {
      ...apart,
      atOnce: 80,
      requests: [json('/v1/action', { performedBy: 'attacker' })],
    },
  };
}

const cidOf = (layer, place) => `sha256:${(layer * WIDTH + place + 1).toString(16).padStart(64, '0')}`;
const tops = () => Array.from({ length: WIDTH }, (_, place) => cidOf(LAYERS - 1, place));

async function recordLayers(post, json) {
  for (let layer = 0; layer < LAYERS; layer++) {
    const inputCids = layer === 0 ? [] : Array.from({ length: WIDTH }, (_, place) => cidOf(layer - 1, place));
    const toAction = (_, place) => ({
      performedBy: 'attacker',
      inputCids,
      outputCids: [cidOf(layer, place)],
    });
    await post(json('/v1/batch', { actions: Array.from({ length: WIDTH }, toAction) }));
  }
}

const wideCid = (place) => `sha256:f${place.toString(16).padStart(63, '0')}`;

/** Each action uses the output of the previous action, and the same set of other contents, which no action made. */
async function recordWide(post, json) {
  const others = Array.from({ length: WIDE_CIDS - 1 }, (_, place) => wideCid(1e6 + place));
  for (let from = 0; from < WIDE_ACTIONS; from += WIDE_ACTIONS_A_BATCH) {
    const toAction = (_, place) => ({
      performedBy: 'attacker',
      inputCids: [wideCid(from + place), ...others],
      outputCids: [wideCid(from + place + 1)],
    });
    await post(json('/v1/batch', { actions: Array.from({ length: WIDE_ACTIONS_A_BATCH }, toAction) }));
  }
}

/** Texts that begin like content ids in base58. */
const longDigits = () =>
  Array.from({ length: LONG_DIGITS }, (_, place) => `z888${String(place).padStart(3, '7').repeat(36)}`);

const manyLineCids = () => Array.from({ length: SHARED_CONTENTS }, (_, place) => lineCid(1_000 + place));

const lineCid = (place) => `sha256:e${place.toString(16).padStart(63, '0')}`;

async function recordLine(post, json) {
  for (let from = 0; from < PROVEN_ACTIONS; from += PROVEN_ACTIONS_A_BATCH) {
    const toAction = (_, place) => ({
      performedBy: 'attacker',
      inputCids: [lineCid(from + place)],
      outputCids: [lineCid(from + place + 1)],
    });
    await post(json('/v1/batch', { actions: Array.from({ length: PROVEN_ACTIONS_A_BATCH }, toAction) }));
  }
}

async function recordLarge(post, json) {
  const extensions = { 'ext:large@1.0.0': { text: 'x'.repeat(LARGE_RECORD) } };
  for (let place = 0; place < LARGE_RECORDS; place++) {
    const outputCids = [lineCid(5e6 + place)];
    const action = { performedBy: 'attacker', sessionId: 'large', inputCids: [], outputCids, extensions };
    await post(json('/v1/action', action));
  }
}

async function recordListed(post, json) {
  const extensions = { 'ext:large@1.0.0': { text: 'ж'.repeat(LISTED_CHARACTERS) } };
  for (let from = 0; from < LISTED_RECORDS; from += LISTED_RECORDS / 4) {
    const toAction = (_, place) => ({
      performedBy: 'attacker',
      sessionId: 'listed',
      outputCids: [lineCid(8e6 + from + place)],
      extensions,
    });
    await post(json('/v1/batch', { actions: Array.from({ length: LISTED_RECORDS / 4 }, toAction) }));
  }
}

async function recordSession(post, json) {
  const cidsFrom = (from) => Array.from({ length: SESSION_CIDS }, (_, place) => lineCid(from + place));
  for (let from = 0; from < SESSION_ACTIONS; from += SESSION_ACTIONS / 4) {
    const toAction = (_, place) => ({
      performedBy: 'attacker',
      sessionId: 'long',
      inputCids: cidsFrom(6e6 + (from + place) * SESSION_CIDS),
      outputCids: [lineCid(7e6 + from + place)],
    });
    await post(json('/v1/batch', { actions: Array.from({ length: SESSION_ACTIONS / 4 }, toAction) }));
  }
}

function nameMany(place) {
  const cids = Array.from({ length: 2 * MANY_CIDS }, (_, index) =>
    lineCid(1e6 + place * 2 * MANY_CIDS + index),
  );
  return { performedBy: 'attacker', inputCids: cids.slice(0, MANY_CIDS), outputCids: cids.slice(MANY_CIDS) };
}

function makeInterlaced() {
  return sharp({ create: { width: EDGE, height: EDGE, channels: 3, background: 'red' } })
    .toColourspace('rgb16')
    .png({ progressive: true, compressionLevel: 9 })
    .toBuffer();
}

function makeNoise() {
  const raw = { width: LARGE_PICTURE_EDGE, height: LARGE_PICTURE_EDGE, channels: 3 };
  return sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

function makeWrongBatch() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const hex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const id = `forger-${randomBytes(8).toString('hex')}`;
  const toAction = () => ({
    performedBy: id,
    proof: {
      algorithm: 'Ed25519',
      publicKey: hex,
      signature: sign(null, randomBytes(16), privateKey).toString('hex'),
      timestamp: new Date().toISOString(),
    },
  });
  return { entities: [{ id, role: 'human' }], actions: Array.from({ length: PROOFS }, toAction) };
}

/** Each content is new. */
function makeLargeBatch({ ofKind, contents }) {
  const name = randomBytes(5).toString('hex');
  const text = (bytes) => randomBytes(bytes).toString('hex');
  const cid = (place) => `sha256:${createHash('sha256').update(`${name} ${place}`).digest('hex')}`;
  const listOf = (toRecord) => Array.from({ length: ofKind }, (_, place) => toRecord(place));
  const outputs = Array.from({ length: Math.floor(contents / ofKind) }, (_, nth) => nth);
  return {
    entities: listOf((place) => ({ id: `${name}-${place}`, role: 'human', metadata: { text: text(400) } })),
    actions: listOf((place) => ({
      performedBy: `${name}-${place}`,
      outputCids: outputs.map((nth) => cid(nth * ofKind + place)),
    })),
    attributions: listOf((place) => ({
      entityId: `${name}-${place}`,
      resourceCid: cid(place),
      role: 'contributor',
      note: text(100),
    })),
  };
}

const manyMembers = (count) =>
  Object.fromEntries(Array.from({ length: Math.floor(count) }, (_, at) => [`m${at.toString(36)}`, 1]));
