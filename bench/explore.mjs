// Measures in Chromium the time for the layout of a history, and the time of each frame while the picture moves.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { recordGrown } from './support/grown-history.mjs';
import { KEY, startService } from './support/service.mjs';
import { medianOf, quantileOf } from './support/statistics.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ACTIONS = [300, 5000];
const MOVED_MS = 3000;
const VIEW = { width: 1280, height: 900 };
const SETTLED_MS = 1500;
/** Number of clicks on “Zoom in” from the previous view to each view. */
const VIEWS = { all: 0, middle: 4, near: 4 };

export async function run(report) {
  report.section('explore: the picture of a history in Chromium');
  if (!existsSync(CHROMIUM)) {
    report.note(`There is no browser at ${CHROMIUM}: apt-get install chromium, or set CHROMIUM.`);
    return;
  }
  const service = await startService();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    for (const actions of ACTIONS) await measure({ report, service, browser, actions });
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function measure({ report, service, browser, actions }) {
  const cid = await recordGrown({ base: service.base, key: KEY }, actions);
  const page = await browser.newPage({ viewport: VIEW });
  await page.addInitScript(timeWorkers);
  await page.goto(`${service.base}/app/explore/${cid}#key=${KEY}`);
  await page.getByRole('application').waitFor();
  await showWhole(page);
  const size = readCount(await page.getByText(/things in the picture/).textContent());
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForTimeout(SETTLED_MS);
  reportFrames(report, `${size} nodes in groups`, await moveAbout(page));
  await ungroup(page);
  report.figure(`${size} nodes: layout in its thread`, (await page.evaluate('layoutsMs')).at(-1), {
    unit: ' ms',
    target: { atMost: 1000 },
  });
  for (const [name, clicks] of Object.entries(VIEWS)) {
    for (let click = 0; click < clicks; click++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForTimeout(SETTLED_MS);
    reportFrames(report, `${size} nodes, ${name}`, await moveAbout(page));
  }
  await page.close();
}

function readCount(text) {
  return Number.parseInt(text.replaceAll(',', ''), 10);
}

function reportFrames(report, what, frames) {
  report.figure(`${what}: frames per second while the picture moves`, framesASecond(frames), {
    target: { atLeast: 50 },
  });
  report.note(
    `median ${medianOf(frames).toFixed(0)} ms, 95 % within ${quantileOf(frames, 0.95).toFixed(0)} ms`,
  );
}

/** Without grouping, the page draws every node. */
async function ungroup(page) {
  const groups = page.getByText('cards are groups');
  await page.locator('summary', { hasText: 'Filter' }).click();
  await page.getByLabel('Group similar steps').uncheck();
  await page.keyboard.press('Escape');
  await groups.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show all' }).click();
}

/** Runs in the page. Measures the time from a message to a worker until its first response. */
function timeWorkers() {
  globalThis.layoutsMs = [];
  const { Worker } = globalThis;
  globalThis.Worker = class extends Worker {
    postMessage(message) {
      const startMs = performance.now();
      this.addEventListener('message', () => globalThis.layoutsMs.push(performance.now() - startMs), {
        once: true,
      });
      super.postMessage(message);
    }
  };
}

async function showWhole(page) {
  const more = page.getByRole('button', { name: 'Show more' });
  const size = page.getByText(/things in the picture/);
  await size.waitFor();
  while ((await more.count()) > 0) {
    const before = await size.textContent();
    await more.click();
    await page.waitForFunction((text) => !document.body.textContent.includes(text), before);
  }
}

/** Returns the milliseconds of each frame. */
async function moveAbout(page) {
  const { x, y, width, height } = await page.getByRole('application').boundingBox();
  const middle = { x: x + width / 2, y: y + height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  const frames = page.evaluate(
    (lengthMs) =>
      new Promise((resolve) => {
        const times = [];
        const tick = (timeMs) => {
          times.push(timeMs);
          if (timeMs - times[0] < lengthMs) requestAnimationFrame(tick);
          else resolve(times.slice(1).map((time, index) => time - times[index]));
        };
        requestAnimationFrame(tick);
      }),
    MOVED_MS,
  );
  const endMs = performance.now() + MOVED_MS;
  for (let step = 0; performance.now() < endMs; step++)
    await page.mouse.move(middle.x + Math.sin(step / 20) * 200, middle.y + Math.sin(step / 30) * 80);
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.up();
  return frames;
}

function framesASecond(frames) {
  return (frames.length * 1000) / frames.reduce((sum, frame) => sum + frame, 0);
}
