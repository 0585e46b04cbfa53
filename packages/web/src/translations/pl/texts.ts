import type { AllTexts } from '../all-texts.js';
import { check } from './check.js';
import { credentials } from './credentials.js';
import { detector } from './detector.js';
import { explore, library, shares } from './explore.js';
import { aiLevels, factTexts, history, shell, ui } from './facts.js';
import { manage, webhooks } from './manage.js';
import { marking } from './marking.js';
import { certificates, pinning } from './project-settings.js';
import { publish, published } from './publish.js';
import { record } from './record.js';

export const texts: AllTexts = {
  aiLevels,
  factTexts,
  history,
  shell,
  ui,
  check,
  credentials,
  detector,
  explore,
  library,
  shares,
  manage,
  webhooks,
  pinning,
  certificates,
  published,
  publish,
  record,
  marking,
};
