import type { FastifyReply } from 'fastify';
import type { App } from '../app.js';
import type { RenderedDocuments } from '../wire/rendered-documents.js';
import { createSharedAnswer } from '../wire/shared-answer.js';
import { toLlmsText } from './llms-text.js';

const FORMS = {
  json: 'application/json; charset=utf-8',
  yaml: 'application/x-yaml',
  forModels: 'text/plain; charset=utf-8',
} as const;
type DocumentForm = keyof typeof FORMS;

/** Each description is long, so all callers share its bytes. */
export type ApiDocuments = Readonly<Record<DocumentForm, (reply: FastifyReply) => Promise<FastifyReply>>>;

/**
 * `rendered`: the descriptions of the build. Without them, the first request for a description writes it, which
 * occupies the main thread for up to a second.
 */
export function createApiDocuments(app: App, rendered?: RenderedDocuments): ApiDocuments {
  const write = describeInAllForms(app);
  const send = (form: DocumentForm) =>
    createSharedAnswer(FORMS[form], () => (rendered === undefined ? write[form]() : rendered.read(form)));
  return { json: send('json'), yaml: send('yaml'), forModels: send('forModels') };
}

export function describeInAllForms(app: App): Readonly<Record<DocumentForm, () => string>> {
  return {
    json: () => JSON.stringify(app.swagger()),
    yaml: () => app.swagger({ yaml: true }),
    forModels: () => toLlmsText(app.swagger()),
  };
}
