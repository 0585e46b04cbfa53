export const PERFORMER = 'ai:bench';

export function toActionBody({ inputs, output, sessionId }) {
  return {
    type: 'transform',
    performedBy: PERFORMER,
    inputCids: inputs,
    outputCids: [output],
    sessionId,
    resourceType: 'image',
    aiTool: { provider: 'example', model: 'painter-2', version: '2.1.0' },
    extensions: { 'ext:bench@1.0.0': { step: 'upscale', factor: 2 } },
    timestamp: '2026-08-02T09:30:00.000Z',
  };
}
