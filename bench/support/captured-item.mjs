import { createContext } from '../../packages/server/dist/compose.js';
import { readConfig } from '../../packages/server/dist/config.js';
import { createPerformer, KEY, PROJECT } from './service.mjs';

export async function captureItem(body) {
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', API_KEYS: `${KEY}:${PROJECT}` });
  const context = await createContext(config);
  try {
    const base = await context.app.listen({ host: '127.0.0.1', port: 0 });
    await createPerformer({ base }, { id: body.performedBy });
    const { recorder } = context.records;
    let captured;
    context.records.recorder = {
      ...recorder,
      record(projectId, item) {
        captured = item;
        return recorder.record(projectId, item);
      },
    };
    const answer = await fetch(`${base}/v1/action`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST /v1/action: ${answer.status} ${await answer.text()}`);
    return captured;
  } finally {
    context.app.server.closeAllConnections();
    await context.close();
  }
}
