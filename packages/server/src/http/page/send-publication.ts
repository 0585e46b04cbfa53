import { publicationIdSchema } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import { noPublication, requirePublication } from '../../management/publish-content.js';
import type { PublishedDocument } from '../../records/conversion/describe-history.js';
import { toEtag } from '../../records/read/answers.js';
import type { AppDeps } from '../app.js';
import { countVisitorAt } from '../middleware/limit-requests.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { matches } from '../wire/etag.js';
import type { PageFiles } from '../wire/page-files.js';
import { fillDocument, type PublicationHead } from './publication-document.js';

interface PublicationPageDeps extends Pick<AppDeps, 'limits' | 'management' | 'publishing' | 'views'> {
  files: PageFiles;
}

const FILE = 'index.html';
/** Copies must be revalidated, so the page disappears when the publication ends. */
const CACHE = 'no-cache';

/**
 * Sends the page with the facts as HTML. If the facts are unavailable, or the caller sent too many requests, sends it
 * without them: the scripts then request the facts or show the error.
 */
export async function sendPublication(
  deps: PublicationPageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const document = await deps.files.readText(FILE);
  const found =
    document === undefined ? undefined : await readPublication(deps, request, signalOfCaller(reply));
  if (document === undefined || found === undefined)
    return deps.files.send(reply, { name: FILE, cache: CACHE });
  const html = fillDocument(
    document,
    found === 'absent' ? undefined : { ...found, ...headOf(deps, request) },
  );
  const etag = toEtag(html);
  reply.headers({ 'cache-control': CACHE, etag });
  if (found !== 'absent' && matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply
    .code(found === 'absent' ? 404 : 200)
    .type('text/html; charset=utf-8')
    .send(html);
}

async function readPublication(
  { limits, management, publishing, views }: PublicationPageDeps,
  { ip, params, method }: FastifyRequest,
  signal: AbortSignal,
): Promise<PublishedDocument | 'absent' | undefined> {
  const { success, data: id } = publicationIdSchema.safeParse((params as { id: string }).id);
  if (!success) return 'absent';
  if ((await countVisitorAt(limits, ip)) !== undefined) return undefined;
  try {
    const publication = await requirePublication(management.deps, id);
    const answer = await publishing.readPage(publication, signal);
    if (answer === undefined) throw noPublication(id);
    const document: PublishedDocument = JSON.parse(Buffer.concat(answer.body).toString());
    // Without `json`, the scripts of the page request the history, and that request counts as the view.
    if (document.json !== undefined && method === 'GET')
      views.count({ projectId: publication.projectId, id });
    return document;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code === 'NotFound' ? 'absent' : undefined;
  }
}

function headOf({ management }: PublicationPageDeps, request: FastifyRequest): PublicationHead {
  const own = management.deps.publicUrl ?? `${request.protocol}://${request.host}`;
  // An HTTP/1.0 request can have no host, or a malformed host.
  return {
    origin: URL.canParse(own) ? new URL(own).origin : '',
    path: request.url.split('?', 1)[0] ?? request.url,
  };
}
