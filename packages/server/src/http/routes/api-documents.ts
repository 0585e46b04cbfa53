import type { FastifyReply } from 'fastify';
import type { App } from '../app.js';
import type { RenderedDocuments } from '../wire/rendered-documents.js';
import { createSharedAnswer } from '../wire/shared-answer.js';
import { toLlmsText } from './llms-text.js';

/** Forms of the description of the API, with their media types. */
const FORMS = {
  json: 'application/json; charset=utf-8',
  yaml: 'application/x-yaml',
  forModels: 'text/plain; charset=utf-8',
} as const;
type DocumentForm = keyof typeof FORMS;

/** Functions that send a description of the API. Each description is long, so all callers share its bytes. */
export type ApiDocuments = Readonly<Record<DocumentForm, (reply: FastifyReply) => Promise<FastifyReply>>>;

/**
 * Creates the functions. `rendered`: the descriptions of the build. Without them, the service writes a description at
 * the first request for it. This occupies the main thread for up to a second.
 */
export function createApiDocuments(app: App, rendered?: RenderedDocuments): ApiDocuments {
  const write = describeInAllForms(app);
  const send = (form: DocumentForm) =>
    createSharedAnswer(FORMS[form], () => (rendered === undefined ? write[form]() : rendered.read(form)));
  return { json: send('json'), yaml: send('yaml'), forModels: send('forModels') };
}

/** Returns the functions that write the description of the API, by form. */
export function describeInAllForms(app: App): Readonly<Record<DocumentForm, () => string>> {
  return {
    json: () => JSON.stringify(app.swagger()),
    yaml: () => app.swagger({ yaml: true }),
    forModels: () => toLlmsText(app.swagger()),
  };
}
