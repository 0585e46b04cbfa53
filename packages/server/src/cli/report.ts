import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ComplianceReport, renderComplianceReport } from '@colophon/model';
import { openClient } from './open-client.js';
import { print, toTable } from './print.js';
import { withoutAbsent } from './subcommands.js';
import { UsageError } from './usage.js';

export async function reportCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      html: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  if (positionals.length > 0) throw new UsageError('Run `colophon report --from <date> --to <date>`.');
  const { from, to, html, json } = values;
  const report = await openClient().compliance.report(withoutAbsent({ from, to }));
  if (html !== undefined) await writeFile(html, renderComplianceReport(report), { flag: 'wx' });
  print(report, { json, describe: describeReport });
}

function describeReport({ period, marks, unmarked, detections, log }: ComplianceReport): string {
  const layers = toTable(marks.byLayer, [
    { head: 'LAYER', of: ({ kind }) => kind },
    { head: 'METHOD', of: ({ method }) => method },
    { head: 'STATE', of: ({ state }) => state },
    { head: 'CONTENTS', of: ({ count }) => count },
  ]);
  const disclosures = marks.byDisclosure.map(({ level, count }) => `${level} ${count}`).join(', ');
  const found = detections.byLayer.reduce((sum, { findings }) => sum + findings, 0);
  const lines = [
    `from ${period.from} to ${period.to}`,
    `marked contents: ${marks.total}${disclosures === '' ? '' : ` (${disclosures})`}${marks.complete ? '' : ', incomplete'}`,
    `without a mark: ${unmarked.aiActions} actions with an AI tool, ${unmarked.aiManifests} contents whose manifest states AI`,
    ...describeCopies(unmarked),
    `findings of the public detector: ${found} (counted since ${detections.countedSince})`,
    `log: ${log === null ? 'not signed' : `${log.sizes.atStart} to ${log.sizes.atEnd} leaves, ${log.verifierKey}`}`,
  ];
  return `${lines.join('\n')}\n\n${layers}`;
}

/** Reports of earlier versions of the service do not count the marked copies. */
function describeCopies({ aiActionsWithCopy, aiManifestsWithCopy }: ComplianceReport['unmarked']): string[] {
  if (aiActionsWithCopy === undefined || aiManifestsWithCopy === undefined) return [];
  return [`of these, with a marked copy: ${aiActionsWithCopy} actions, ${aiManifestsWithCopy} contents`];
}
