import { levelOfDisclosure } from '../labels/ai-label.js';
import { publishedPageTexts } from '../publications/published-page-texts.js';
import type {
  ComplianceReport,
  MarkedContent,
  ReportedLayer,
  Robustness,
  UnmarkedContent,
} from './compliance-report.js';
import { factsOf, type Markup, markup, type Piece, tableOf } from './markup.js';
import { REPORT_STYLE } from './report-style.js';

type Performed = Pick<MarkedContent, 'performedBy'>;

/** Maps the id of an entity to its name. */
type EntityNames = ReadonlyMap<string, string>;

const STATES = { added: 'added', pending: 'pending', unavailable: 'not available' } as const;

/**
 * Renders a compliance report as one HTML document without scripts, to read and to print. All values are escaped. The
 * document has one inline style sheet. A content security policy can allow it by the digest of `REPORT_STYLE`. `names`:
 * the names of entities by id; the report itself has only ids. For an entity without a name, the document shows the id
 * and says where to find the name.
 *
 * @example
 * renderComplianceReport(report).startsWith('<!doctype html>'); // => true
 */
export function renderComplianceReport(report: ComplianceReport, names: EntityNames = new Map()): string {
  const { period, service } = report;
  const title = `Compliance report, ${dayOf(period.from)} to ${dayOf(period.to)}`;
  const { html } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${{ html: REPORT_STYLE }}</style>
</head>
<body>
<header>
<h1>Compliance report</h1>
<p class="subtitle">Marks of AI content, recorded from ${toTime(period.from)} to ${toTime(period.to)}</p>
${factsOf([
  ['Project', projectOf(report)],
  ['Service', `${service}, version ${report.version}`],
  ['Made', toTime(report.generatedAt)],
])}
</header>
<main>
${[marksSection(report), contentsSection(report, names), unmarkedSection(report, names), detectionsSection(report)]}
${logSection(report)}
<section class="notice"><h2>Limits of this report</h2>
<p>This report lists facts that the service recorded. It is not a legal assessment. It does not include content that was
never sent to the service. The states of the layers are those at the time of the report. Counts and states come from the
database of the service. The receipt of an action proves its disclosure. A reader verifies the receipt with the key of the
log, without the service.</p></section>
${robustnessSection(report)}</main>
</body>
</html>
`;
  return html;
}

function projectOf({ project, projectId }: ComplianceReport): Markup {
  if (project === undefined) return code(projectId);
  return markup`<strong>${project.name}</strong>, organisation ${project.orgName}<br>${code(projectId)}`;
}

function marksSection({ marks }: ComplianceReport): Markup {
  const part = marks.complete
    ? ''
    : markup`<p><strong>Incomplete:</strong> the period has more records than one report counts. The counts cover the newest of
them. Request shorter periods.</p>`;
  const counted = marks.total === 0 ? NO_MARKS : markTables(marks);
  return markup`<section><h2>Marked contents</h2>
${part}${counted}
</section>\n`;
}

/** Many deployers have no duty to add marks, so the text suggests no violation. */
const NO_MARKS = markup`<p>No content of this project was marked through this service in the period.</p>
<p>This number alone is not a violation. Marks are for programs, and providers of AI systems must add them (Article
50(2) of the AI Act). If you only use such a system, your duty is the label that people see (Article 50(4)). Labels need no marks, and
this report does not count them.</p>`;

function markTables({ total, byDisclosure, byType, byLayer }: ComplianceReport['marks']): Markup {
  return markup`<p>${total === 1 ? '1 content was marked' : `${total} contents were marked`} in the period.</p>
<p>This report counts marks, which programs can detect. Providers of AI systems must add them (Article
50(2) of the AI Act). A label that people see is another duty: deployers must add it (Article 50(4)). This report does
not count labels.</p>
<div class="side">
${tableOf(
  'By disclosure',
  ['Disclosure', 'Contents'],
  byDisclosure.map(({ aiDisclosure, count }) => [nameOf(aiDisclosure), count]),
)}
${tableOf(
  'By kind of content',
  ['Kind', 'Contents'],
  byType.map(({ type, count }) => [type, count]),
)}
</div>
${tableOf(
  'By layer',
  ['Layer', 'Method', 'State', 'Contents'],
  byLayer.map((layer): Piece[] => [layer.kind, layer.method ?? '-', STATES[layer.state], layer.count]),
)}`;
}

function unmarkedSection({ unmarked }: ComplianceReport, names: EntityNames): Markup {
  const { aiActions, aiManifests, aiActionsWithCopy, aiManifestsWithCopy, newest } = unmarked;
  const isEmpty = aiActions + aiManifests === 0;
  const list = tableOf(
    'Newest contents without a mark',
    ['Recorded', 'Content and action', 'Kind'],
    newest.map((content) => [timeOf(content), placeOf(content, names), kindOf(content)]),
  );
  return markup`<section class="contents"><h2>AI content without a mark</h2>
${factsOf([
  ['Actions with an AI tool and no mark', aiActions],
  ...withCopies(aiActionsWithCopy),
  ['Contents whose manifest states that AI took part, recorded without a mark', aiManifests],
  ...withCopies(aiManifestsWithCopy),
])}
<p>A label for readers does not change these counts. One content can count in both lines. Imported manifests of other makers count in the second line.</p>
${isEmpty ? '' : HOW_TO_MARK}
<p>No line counts content whose AI is only in its sources, such as a picture that a person put together from AI pictures.
Marks do not fit such content, because they state that AI made or changed the content itself. When it is published, its
page and its label say “${publishedPageTexts.ai.sources}”.</p>
${isEmpty ? '' : list}${isEmpty ? '' : aboutIds(newest, names)}
</section>\n`;
}

const HOW_TO_MARK = markup`<p>To mark a content in these counts, open its history on the page (Explore)
and choose “Make a marked copy”.
Programs send the file to <code>POST /v1/mark</code> or run <code>colophon mark</code>. All these ways put the marks on
a copy and record the copy. Use the copy from then on. The content without a mark stays in these counts.</p>`;

/** Reports of earlier versions have no such number. */
function withCopies(count: number | undefined): [string, number][] {
  return count === undefined ? [] : [['Of these, with a marked copy', count]];
}

function timeOf({ recordedAt }: Pick<MarkedContent, 'recordedAt'>): Markup {
  const [day = '', time = '', zone = ''] = toTime(recordedAt).split(' ');
  return markup`<span class="line">${day}</span><span class="line">${time} ${zone}</span>`;
}

function placeOf(content: UnmarkedContent, names: EntityNames): Markup {
  const { actionId, markedCopy } = content;
  const place = markup`${nameOfContent(content)}<br>by ${performerOf(content, names)}<br>action: ${code(actionId)}`;
  if (markedCopy === undefined) return place;
  const { title: copyTitle } = markedCopy;
  const copy = copyTitle === undefined ? code(markedCopy.cid) : markup`<strong>${copyTitle}</strong>`;
  return markup`${place}<br>marked copy: ${copy}`;
}

function performerOf({ performedBy }: Performed, names: EntityNames): Markup {
  const name = names.get(performedBy);
  return name === undefined ? code(performedBy) : markup`<strong>${name}</strong> (${code(performedBy)})`;
}

/** The result is empty if all performers have their name in this report. */
function aboutIds(contents: readonly Performed[], names: EntityNames): Markup {
  if (contents.every(({ performedBy }) => names.has(performedBy))) return { html: '' };
  return markup`<p>A person or tool without a name in this report has only its id. For the name, read
<code>GET /v1/entity/&lt;id&gt;</code>, or open the history of the content on the page (Explore).</p>`;
}

function nameOfContent({ cid, title }: Pick<MarkedContent, 'cid' | 'title'>): Markup {
  return title === undefined ? code(cid) : markup`<strong>${title}</strong><br>${code(cid)}`;
}

function kindOf({ type, mimeType }: Pick<UnmarkedContent, 'type' | 'mimeType'>): string {
  return mimeType === null ? (type ?? '-') : `${type} (${mimeType})`;
}

function detectionsSection({ detections }: ComplianceReport): Markup {
  const { detector, countedSince, days, byLayer } = detections;
  return markup`<section><h2>Public detections</h2>
<p>The public detector is ${detector ? 'on' : 'off'} now. The counts below are findings of published
content of this project on the UTC days ${days.first} to ${days.last}. The service has counted them since
${countedSince}.</p>
${tableOf(
  'Findings',
  ['Layer', 'Confidence', 'Findings'],
  byLayer.map(({ layer, confidence, findings }) => [layer, confidence, findings]),
)}
<p>One file can count in several layers. Manifests in files do not count, because they name no project.</p>
</section>\n`;
}

function logSection({ log }: ComplianceReport): Markup {
  if (log === null)
    return markup`<section><h2>Transparency log</h2><p>The service has no key for its log.</p></section>\n`;
  const { origin, verifierKey, publicKey, checkpoint, sizes, anchor, timestamp } = log;
  const covers = (part: { size: number; coversPeriod: boolean }) =>
    `${part.size} leaves (${part.coversPeriod ? 'the whole period' : 'not the whole period'})`;
  const anchored: Piece =
    anchor === null
      ? 'none'
      : markup`${covers(anchor)}, ${anchor.status} on ${anchor.chainName} (chain ${anchor.chainId}), block
${anchor.blockNumber}, transaction ${code(anchor.txHash)}, contract ${code(anchor.contractAddress)}`;
  return markup`<section><h2>Transparency log</h2>
${factsOf([
  ['Log', code(origin)],
  ['Public key (Ed25519)', code(publicKey)],
  ['Verifier key', code(verifierKey)],
  ['Leaves up to the last action or attribution before the period', sizes.atStart],
  ['Leaves up to the last action or attribution of the period', sizes.atEnd],
  ['Anchor on a blockchain', anchored],
  ['Time-stamp (RFC 3161)', timestamp === null ? 'none' : `${covers(timestamp)}, ${toTime(timestamp.time)}`],
])}
<h3>Checkpoint at the time of the report</h3>
<p>The checkpoint counts all leaves. It can have more leaves than the end of the period: later records, and people or
tools that were registered after the last action or attribution, because their leaves have no time.</p>
<pre>${checkpoint}</pre>
</section>\n`;
}

/** Folded on the screen. A style shows all of it in print. */
function robustnessSection({ robustness }: ComplianceReport): Markup {
  return markup`<section class="appendix"><h2>Appendix: robustness of the methods of this version</h2>
<p>The makers of the service measured these values with the programs in its repository. The values do not come from the
contents of this project.</p>
<details><summary>Show the tables of ${robustness.length} measurements</summary>
<div class="measured">
${robustness.map(describeMethod)}</div></details></section>\n`;
}

function describeMethod({ method, layer, source, measures, unit, figures, limits }: Robustness): Markup {
  const columns = [...new Set(figures.map(({ of }) => of))];
  const toUnit = unit === 'percent' ? (column: string) => `${column}, %` : (column: string) => column;
  const rows = [...new Set(figures.map(({ alteration }) => alteration))].map((alteration) => [
    alteration,
    ...columns.map((column) =>
      showFigure(figures.find((one) => one.alteration === alteration && one.of === column)),
    ),
  ]);
  const table =
    rows.length === 0
      ? ''
      : tableOf(`${method}, by alteration`, ['Alteration', ...columns.map(toUnit)], rows);
  return markup`<div><h3>${layer}: ${method}</h3>
<p>${measures} Source: ${code(source)}.</p>
${table}
<ul>${limits.map((limit) => markup`<li>${limit}</li>`)}</ul></div>\n`;
}

function showFigure(figure: Robustness['figures'][number] | undefined): string {
  if (figure === undefined) return '-';
  const { value, low, high } = figure;
  return low === undefined || high === undefined ? String(value) : `${value} (${low} to ${high})`;
}

function contentsSection({ marks: { newest, total } }: ComplianceReport, names: EntityNames): Markup {
  if (total === 0) return { html: '' };
  const rows = newest.contents.map((content) => describeContent(content, names));
  const more =
    newest.nextCursor === null
      ? ''
      : markup`<p>The table shows the newest ${newest.count} of ${total}. <code>GET /v1/compliance/marks</code> returns all of them.</p>`;
  return markup`<section class="contents"><h2>Newest marked contents</h2>${more}
${tableOf('Marked contents, newest first', ['Recorded', 'Content and receipt', 'Kind', 'Disclosure', 'Layers'], rows)}
${aboutIds(newest.contents, names)}</section>\n`;
}

function describeContent(content: MarkedContent, names: EntityNames): Piece[] {
  const { aiDisclosure, layers, receiptUrl } = content;
  const performer = performerOf(content, names);
  return [
    timeOf(content),
    markup`${nameOfContent(content)}<br>marked by ${performer}<br>receipt: ${code(receiptUrl)}`,
    kindOf(content),
    nameOf(aiDisclosure),
    markup`${layers.map(describeLayer)}`,
  ];
}

function describeLayer({ kind, state, method }: ReportedLayer): Markup {
  return markup`<span class="line">${kind}: ${method ?? STATES[state]}${state === 'pending' ? ' (pending)' : ''}</span>`;
}

/** The words of public pages, with the recorded value in parentheses. */
function nameOf(aiDisclosure: MarkedContent['aiDisclosure']): string {
  const level = levelOfDisclosure(aiDisclosure);
  return `${publishedPageTexts.ai[level]} (${aiDisclosure ?? 'null'})`;
}

function code(text: string): Markup {
  return markup`<code>${text}</code>`;
}

const dayOf = (instant: string) => instant.slice(0, 10);
/** `2026-08-02T09:30:00.000Z` -> `2026-08-02 09:30:00 UTC`. */
const toTime = (instant: string) => `${instant.slice(0, 19).replace('T', ' ')} UTC`;
