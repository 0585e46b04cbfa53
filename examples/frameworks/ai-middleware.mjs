// A middleware for the Vercel AI SDK (ai 6). It records the text of each generation of a model:
//
//   const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: recordGenerations({ client: colophon, entity }) });
//
// Each record has a SHA-256 of the prompt. A hash does not hide a prompt that a reader can guess. `storePrompt: true`
// also stores the prompt. A failed recording calls `onError`, and the generation continues.
//
// `mark: true` also marks each text as generated with AI: invisible characters at its end carry a signed manifest. The
// page that shows the text must keep them. JSON and XML are recorded without marks, because characters at their end
// would make them invalid.
import { createHash } from 'node:crypto';
import { duplicateOf } from '@colophon/sdk';

/** The characters of a manifest: U+FEFF and variation selectors (C2PA 2.4 §A.8.3). */
const MARKS = /^\ufeff[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+$/u;

/** `entity` is the user of the model. `onRecorded` receives `{cid, actionId}`. */
export function recordGenerations({
  client,
  entity,
  sessionId,
  storePrompt = false,
  mark = false,
  onRecorded = () => {},
  onError = (error) => console.error(`Not recorded or not marked: ${error.message}`),
}) {
  const context = { client, entity, sessionId };

  /** Returns the marks to append, which are empty without `mark` and after a failure. */
  async function record(text, { model, params, usage, startedAt }) {
    if (text === '') return '';
    const tool = { provider: model.provider, model: model.modelId };
    const prompt = JSON.stringify(params.prompt);
    const ai = {
      ...tool,
      promptHash: `sha256:${createHash('sha256').update(prompt).digest('hex')}`,
      ...(storePrompt && { prompt }),
      tokensUsed: sum(usage?.inputTokens?.total, usage?.outputTokens?.total),
      generationTime: Math.round(performance.now() - startedAt),
    };
    const action = { type: 'generate', aiTool: tool, extensions: { 'ext:ai@1.0.0': ai } };
    try {
      const { marks, error, ...recorded } = await (mark ? markOrRecord : recordText)(context, text, action);
      onRecorded(recorded);
      if (error !== undefined) onError(error);
      return marks;
    } catch (error) {
      onError(error);
      return '';
    }
  }

  return {
    specificationVersion: 'v3',
    async wrapGenerate({ doGenerate, params, model }) {
      const startedAt = performance.now();
      const result = await doGenerate();
      const texts = result.content.filter(({ type }) => type === 'text');
      const text = texts.map((part) => part.text).join('');
      const marks = await record(text, { model, params, usage: result.usage, startedAt });
      const last = texts.at(-1);
      const content = result.content.map((part) =>
        part === last ? { ...part, text: part.text + marks } : part,
      );
      return { ...result, content };
    },
    async wrapStream({ doStream, params, model }) {
      const startedAt = performance.now();
      const { stream, ...rest } = await doStream();
      const finish = (text, usage) => record(text, { model, params, usage, startedAt });
      return { ...rest, stream: stream.pipeThrough(appendMarks(finish)) };
    },
  };
}

/** If the service cannot mark the text, records it without marks, and also returns the error. */
async function markOrRecord(context, text, action) {
  try {
    return await markText(context, text, action);
  } catch (error) {
    return { ...(await recordText(context, text, action)), error };
  }
}

/**
 * Returns `{cid, actionId, marks}`. The copy is in NFC. The marks are also valid for a text in another normalization
 * form, because a reader of the marks converts the text to NFC first.
 */
async function markText({ client, entity, sessionId }, text, { aiTool, extensions }) {
  const { id: entityId } = await client.entities.create(entity);
  const generator = { name: aiTool.model };
  const said = {
    entityId,
    textForm: 'unstructured',
    generator,
    aiDisclosure: 'ai_generated',
    aiTool,
    extensions,
    resourceType: 'text',
  };
  const request = { ...said, ...(sessionId && { sessionId }) };
  const bytes = new TextEncoder().encode(text);
  const { cid, actionId } = await client.mark(bytes, request);
  const copy = decode(await (await client.resources.content(cid)).arrayBuffer());
  const normalized = decode(bytes).normalize('NFC');
  const marks = copy.slice(normalized.length);
  if (copy.startsWith(normalized) && MARKS.test(marks)) return { cid, actionId, marks };
  const error = new Error(
    'The recorded copy does not end with invisible characters, so the text has no marks.',
  );
  return { cid, actionId, marks: '', error };
}

async function recordText({ client, entity, sessionId }, text, action) {
  const content = new TextEncoder().encode(text);
  const activity = { entity, action, resourceType: 'text', ...(sessionId && { sessionId }) };
  try {
    const { cid, actionId } = await client.file(content, activity, { fileName: 'generation.txt' });
    return { cid, actionId, marks: '' };
  } catch (error) {
    // The generated text is already recorded, so this code records only the action, with the recorded content as its
    // output.
    const known = duplicateOf(error);
    if (known === undefined) throw error;
    const performer = (await client.entities.create(entity)).id;
    const again = { ...action, performedBy: performer, outputCids: [known.cid], resourceType: 'text' };
    const { actionId } = await client.actions.record({ ...again, ...(sessionId && { sessionId }) });
    return { cid: known.cid, actionId, marks: '' };
  }
}

/** Appends the marks that `finish` returns for the complete text. */
function appendMarks(finish) {
  let text = '';
  let failed = false;
  let end; // the part `text-end` of the last text, held back until the marks are sent
  return new TransformStream({
    async transform(part, controller) {
      if (part.type === 'text-delta') text += part.delta;
      if (part.type === 'error') failed = true;
      if (part.type === 'text-end' && end === undefined) {
        end = part;
        return;
      }
      // A partial text is not the output of the model.
      if (part.type === 'finish' && !failed) {
        const marks = await finish(text, part.usage);
        if (marks !== '' && end !== undefined)
          controller.enqueue({ type: 'text-delta', id: end.id, delta: marks });
      }
      if (end !== undefined && ['text-start', 'text-end', 'finish', 'error'].includes(part.type)) {
        controller.enqueue(end);
        end = part.type === 'text-end' ? part : undefined;
        if (end !== undefined) return;
      }
      controller.enqueue(part);
    },
    flush(controller) {
      if (end !== undefined) controller.enqueue(end);
    },
  });
}

/** U+FEFF at the beginning is a part of the text. */
function decode(bytes) {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function sum(...counts) {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
}
