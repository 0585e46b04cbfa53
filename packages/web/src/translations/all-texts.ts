import type { aiLevels } from '../strings/ai-levels.js';
import type { certificates } from '../strings/certificates.js';
import type { check } from '../strings/check.js';
import type { credentials } from '../strings/credentials.js';
import type { detector } from '../strings/detector.js';
import type { explore } from '../strings/explore.js';
import type { factTexts } from '../strings/facts.js';
import type { history } from '../strings/history.js';
import type { library } from '../strings/library.js';
import type { manage } from '../strings/manage.js';
import type { marking } from '../strings/marking.js';
import type { pinning } from '../strings/pinning.js';
import type { published } from '../strings/public.js';
import type { publish } from '../strings/publish.js';
import type { record } from '../strings/record.js';
import type { shares } from '../strings/shares.js';
import type { shell } from '../strings/shell.js';
import type { ui } from '../strings/ui.js';
import type { webhooks } from '../strings/webhooks.js';

/** The badge has further texts, which are only in English. */
export interface AllTexts {
  aiLevels: typeof aiLevels;
  certificates: typeof certificates;
  check: typeof check;
  credentials: typeof credentials;
  detector: typeof detector;
  explore: typeof explore;
  factTexts: typeof factTexts;
  history: typeof history;
  library: typeof library;
  manage: typeof manage;
  marking: typeof marking;
  pinning: typeof pinning;
  published: typeof published;
  publish: typeof publish;
  record: typeof record;
  shares: typeof shares;
  shell: typeof shell;
  ui: typeof ui;
  webhooks: typeof webhooks;
}
