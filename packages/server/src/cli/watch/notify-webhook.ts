import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { toSigningKey } from '../../control/webhook-secrets.js';
import { post, signMessage } from '../../webhooks/post.js';
import { openFile } from '../open-file.js';
import { UsageError } from '../usage.js';
import { LOG_FAULTS, type LogFinding } from './check-log.js';
import { dropCosignatures } from './format-note.js';

/** Sends a finding to the webhook. Never rejects: if the delivery fails, writes a message to standard error. */
export type WatchNotifier = (finding: LogFinding, stopping: AbortSignal) => Promise<void>;

/** Pauses between the attempts. */
const PAUSES_MS = [1_000, 5_000, 15_000, 30_000];
/** Standard Webhooks 1.0.0, "Signature scheme": 24 to 64 bytes in base64. */
const SECRET =
  /^whsec_(?=[A-Za-z0-9+/]{32,86}={0,2}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Maximum length of a response of the log in the message. The evidence file contains the complete response. */
const MAX_NOTE_CHARACTERS = 16_384;

/** Without an address, the notifier does nothing. */
export async function openNotifier(
  { url, secret, secretFile }: Record<'url' | 'secret' | 'secretFile', string | undefined>,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<WatchNotifier> {
  if (url === undefined) {
    if (secretFile === undefined) return async () => undefined;
    throw new UsageError('--webhook-secret-file needs --webhook <address>.');
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || hasUser(new URL(url)))
    throw new UsageError('--webhook takes an http or https address without user and password.');
  const given =
    secretFile === undefined ? secret : (await text((await openFile(secretFile)).read('reading'))).trim();
  const source = secretFile ?? 'COLOPHON_WEBHOOK_SECRET';
  if (given === undefined)
    throw new UsageError(
      '--webhook needs a secret: set COLOPHON_WEBHOOK_SECRET, or use --webhook-secret-file.',
    );
  if (!SECRET.test(given))
    throw new UsageError(`${source} must contain whsec_ and 24 to 64 bytes in base64.`);
  const key = toSigningKey(given);
  return (finding, stopping) => deliver({ url, key, pausesMs, stopping }, toMessage(finding));
}

function hasUser({ username, password }: URL): boolean {
  return username + password !== '';
}

interface FaultMessage {
  id: string;
  body: string;
}

/** Derives the id from the fault and its checkpoints, so a later check sends the same id for the same fault. */
function toMessage({ fault, origin, address, notes }: LogFinding): FaultMessage {
  const data = {
    ...{ fault, meaning: LOG_FAULTS[fault], origin: origin ?? null, address },
    checkpoints: notes.map((note) => shorten(note)),
  };
  const id = `msg_${createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 32)}`;
  return { id, body: JSON.stringify({ type: 'log.fault', timestamp: new Date().toISOString(), data }) };
}

/** Cuts at the end of a line, or inside the line if it has no line break. */
function shorten(response: string): string {
  const note = dropCosignatures(response);
  if (note.length <= MAX_NOTE_CHARACTERS) return note;
  const start = note.slice(0, MAX_NOTE_CHARACTERS);
  return start.slice(0, start.lastIndexOf('\n') + 1 || undefined);
}

interface Delivery {
  url: string;
  key: Uint8Array;
  pausesMs: readonly number[];
  stopping: AbortSignal;
}

async function deliver({ url, key, pausesMs, stopping }: Delivery, message: FaultMessage): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const headers = signMessage([key], message, new Date());
    const { error, status } = await post(fetch, { url, headers, body: message.body, signal: stopping });
    if (error === undefined) return;
    const pauseMs = status === 410 || stopping.aborted ? undefined : pausesMs[attempt];
    const next =
      pauseMs === undefined ? 'The message is not delivered.' : `Next attempt in ${pauseMs / 1_000} s.`;
    process.stderr.write(`Webhook to ${new URL(url).origin}: ${error}. ${next}\n`);
    if (pauseMs === undefined) return;
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined); // rejects when aborted
  }
}
