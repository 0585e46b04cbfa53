// A middleware of the Vercel AI SDK (ai 6) that records each text from a model:
//
//   const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: recordGenerations({ client: colophon, entity }) });
//
// Each record has `ext:ai@1.0.0` with a SHA-256 of the prompt; `storePrompt: true` stores the prompt itself. A hash
// does not hide a prompt that a reader can guess. A failed recording calls `onError`, and the generation continues.
import { createHash } from 'node:crypto';
import { duplicateOf } from '@colophon/sdk';

/** `entity` is the user of the model. `onRecorded` receives `{cid, actionId}`. */
export function recordGenerations({
  client,
  entity,
  sessionId,
  storePrompt = false,
  onRecorded = () => {},
  onError = (error) => console.error(`Not recorded: ${error.message}`),
}) {
  async function record(text, { model, params, usage, startedAt }) {
    if (text === '') return;
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
      onRecorded(await recordText(text, action));
    } catch (error) {
      onError(error);
    }
  }

  async function recordText(text, action) {
    const content = new TextEncoder().encode(text);
    const activity = { entity, action, resourceType: 'text', ...(sessionId && { sessionId }) };
    try {
      const { cid, actionId } = await client.file(content, activity, { fileName: 'generation.txt' });
      return { cid, actionId };
    } catch (error) {
      // A model can repeat a text. Then the text is already recorded, but not this generation of it.
      const known = duplicateOf(error);
      if (known === undefined) throw error;
      const performer = (await client.entities.create(entity)).id;
      const again = { ...action, performedBy: performer, outputCids: [known.cid], resourceType: 'text' };
      const { actionId } = await client.actions.record({ ...again, ...(sessionId && { sessionId }) });
      return { cid: known.cid, actionId };
    }
  }

  return {
    specificationVersion: 'v3',
    async wrapGenerate({ doGenerate, params, model }) {
      const startedAt = performance.now();
      const result = await doGenerate();
      const texts = result.content.filter(({ type }) => type === 'text').map(({ text }) => text);
      await record(texts.join(''), { model, params, usage: result.usage, startedAt });
      return result;
    },
    async wrapStream({ doStream, params, model }) {
      const startedAt = performance.now();
      const { stream, ...rest } = await doStream();
      let text = '';
      let usage;
      let failed = false;
      const listening = new TransformStream({
        transform(part, controller) {
          if (part.type === 'text-delta') text += part.delta;
          if (part.type === 'finish') usage = part.usage;
          if (part.type === 'error') failed = true;
          controller.enqueue(part);
        },
        // Records only complete texts: a partial text is not the output of the model.
        async flush() {
          if (!failed && usage !== undefined) await record(text, { model, params, usage, startedAt });
        },
      });
      return { ...rest, stream: stream.pipeThrough(listening) };
    },
  };
}

function sum(...counts) {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
}
