import { createHash } from 'node:crypto';
import { parseContentId } from '@colophon/model';
import { PNG } from '../support/media.js';
import { jsonPost, type Service, toForm } from '../support/service.js';
import { texturedPicture } from '../support/textured-picture.js';

export interface World {
  entityId: string;
  /** The request to record this entity had no id. */
  derivedEntityId: string;
  /** The action that made `outputCid` from `fileCid`. */
  actionId: string;
  sessionId: string;
  /** The key of the request that recorded `actionId`. */
  idempotencyKey: string;
  fileCid: string;
  /** Content without stored bytes. */
  outputCid: string;
  /** Content of more than 1 MiB. The next two members are its other identifiers. */
  largeCid: string;
  largeSha256: string;
  largeRawCid: string;
  large: Uint8Array;
  attributionId: string;
  signed: Uint8Array;
  signedCid: string;
  manifestLabel: string;
  publicationId: string;
  /** A test may revoke this publication. */
  sparePublicationId: string;
  /** A picture that the service can decode. The next publication shows it. */
  pictureCid: string;
  picturePublicationId: string;
  cursors: Record<'entities' | 'actions' | 'attributions' | 'resources' | 'marks', string>;
}

const LARGE = Buffer.alloc(2 ** 20 + 1, 'colophon');
const IDEMPOTENCY_KEY = 'of-the-first-project';
const OUTPUT = `sha256:${'5c'.repeat(32)}`;

export async function recordWorld(service: Service, key: string): Promise<World> {
  const authorization = `Bearer ${key}`;
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await service.send(path, { ...init, headers: { ...init.headers, authorization } });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const ann = { id: 'studio:ann', role: 'human', name: 'Ann', wallet: '0x01', metadata: { a: [1] } };
  await call('/v1/entity', jsonPost(ann));
  const derived = await call('/v1/entity', jsonPost({ role: 'ai', name: 'Painter' }));
  const sessionId = 'session/1';
  const entity = { id: 'studio:ann', role: 'human' };
  const file = await call('/v1/activity', { method: 'POST', body: toForm(PNG, { entity, sessionId }) });
  const large = await call('/v1/activity', { method: 'POST', body: toForm(LARGE, { entity, sessionId }) });
  const made = await call(
    '/v1/action',
    jsonPost(
      {
        type: 'transform',
        performedBy: derived.id,
        inputCids: [file.cid],
        outputCids: [OUTPUT],
        sessionId,
        aiTool: { provider: 'Acme', model: 'painter' },
      },
      { 'idempotency-key': IDEMPOTENCY_KEY },
    ),
  );
  const attributed = { entityId: 'studio:ann', actionId: made.actionId, role: 'contributor', weight: '1/3' };
  const attribution = await call('/v1/attribution', jsonPost(attributed));
  const publish = async (cid: string, more: object = {}) =>
    (await call('/v1/publications', jsonPost({ cid, withhold: [], titles: true, ...more }))).id;
  const cursorOf = async (list: string) => (await call(`/v1/${list}?limit=1`)).nextCursor;
  const said = { entityId: 'studio:ann', generator: 'Studio', aiDisclosure: null };
  const embedded = await call('/v1/media/embed', { method: 'POST', body: toForm(PNG, said) });
  const signed = await service.send(embedded.contentUrl, { headers: { authorization } });
  const drawn = new Uint8Array(await (await texturedPicture(3, 64, 48)).jpeg().toBuffer());
  const picture = await call('/v1/activity', { method: 'POST', body: toForm(drawn, { entity }) });
  const digest = createHash('sha256').update(LARGE).digest();
  return {
    entityId: 'studio:ann',
    derivedEntityId: derived.id,
    actionId: made.actionId,
    sessionId,
    idempotencyKey: IDEMPOTENCY_KEY,
    fileCid: file.cid,
    outputCid: made.action.outputCids[0],
    largeCid: large.cid,
    largeSha256: `sha256:${digest.toString('hex')}`,
    largeRawCid: parseContentId(`sha256:${digest.toString('hex')}`) ?? '',
    large: LARGE,
    attributionId: attribution.id,
    signed: new Uint8Array(await signed.arrayBuffer()),
    signedCid: embedded.cid,
    manifestLabel: embedded.manifest.label,
    publicationId: await publish(OUTPUT),
    sparePublicationId: await publish(file.cid),
    pictureCid: picture.cid,
    picturePublicationId: await publish(picture.cid, { picture: true }),
    cursors: {
      entities: await cursorOf('entities'),
      actions: await cursorOf('actions'),
      attributions: await cursorOf('attributions'),
      resources: await cursorOf('resources'),
      marks: toMarksCursor(await cursorOf('actions')),
    },
  };
}

/** Both cursors are at the same action. */
function toMarksCursor(cursor: string): string {
  const [, at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
  return Buffer.from(JSON.stringify(['marks', at, id])).toString('base64url');
}
