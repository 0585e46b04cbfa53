// Measures whether the service finds altered texts and drawings, and whether it also finds files that nobody recorded.
// `--only=text,html,pdf,svg` selects the kinds. PDFs need pdftotext, and pdftocairo for one alteration.
import { sendForm, startService } from './support/service.mjs';
import { interval } from './support/statistics.mjs';
import { COUNT, DRAWING, listPages, PAGE_KINDS } from './support/texts.mjs';

const KINDS = { ...PAGE_KINDS, svg: DRAWING };

export async function run(report, { only }) {
  const pages = listPages(2 * COUNT);
  const kinds = Object.keys(KINDS).filter((kind) => only === undefined || only.split(',').includes(kind));
  for (const kind of kinds) {
    const { name, type, make, alterations } = KINDS[kind];
    report.section(`texts: ${COUNT} recorded ${name}, ${COUNT} that were never recorded`);
    const service = await startService({ MATCH_WAIT_MS: '10000' });
    try {
      const recorded = [];
      for (let number = 0; number < COUNT; number++) {
        const file = await make(pages[2 * number], 2 * number);
        const json = JSON.stringify({ entity: { role: 'human', name: 'Ann' } });
        const { cid } = await sendForm(service, '/v1/activity', { file, type, json });
        recorded.push({ cid, file, page: pages[2 * number], number });
      }
      for (const [alteration, alter] of Object.entries(alterations))
        await measure(report, service, { recorded, alteration, type, ...toSteps(alter) });
      await countStrangers(report, service, { pages, type, make });
    } finally {
      await service.stop();
    }
  }
}

const toSteps = (alter) => (typeof alter === 'function' ? { alter } : alter);

async function measure(report, service, { recorded, alteration, type, alter, to = type }) {
  const counts = { first: 0, auto: 0, others: 0 };
  for (const { cid, file, page, number } of recorded) {
    const { matches, verdict } = await search(service, await alter(file, { page, number }), to);
    const isFirst = matches[0]?.cid === cid;
    if (isFirst) counts.first++;
    if (isFirst && verdict === 'auto') counts.auto++;
    counts.others += matches.filter((match) => match.cid !== cid).length;
  }
  const share = (count) =>
    `${count} of ${recorded.length}, ${((100 * count) / recorded.length).toFixed(1)} % (${interval(count, recorded.length)})`;
  report.verdict(alteration, `${alteration}: found first ${share(counts.first)}; auto ${share(counts.auto)}`);
  report.note(`other matches: ${counts.others}`);
}

async function countStrangers(report, service, { pages, type, make }) {
  const verdicts = [];
  for (let number = 1; number < 2 * COUNT; number += 2) {
    const result = await search(service, await make(pages[number], number), type);
    verdicts.push(result.verdict);
    if (result.verdict !== 'no-match') report.note(`${number}: ${JSON.stringify(result.matches)}`);
  }
  const count = (verdict) => verdicts.filter((one) => one === verdict).length;
  report.figure(`never recorded: review, of ${verdicts.length}`, count('review'));
  report.figure('never recorded: auto', count('auto'), { target: { atMost: 0 } });
}

const search = (service, file, type) => sendForm(service, '/v1/search/file', { file, type });
