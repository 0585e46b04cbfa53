import { type Markup, markup, type Piece } from '../compliance/markup.js';
import { iconOfLevel, levelOfFacts } from '../labels/ai-label.js';
import { describeLabel } from '../labels/draw-label.js';
import { orderSteps } from '../records/order-steps.js';
import { findCorrectedSteps } from './current-steps.js';
import { listCurrentPeople, listLicenses, namePerformers } from './history-facts.js';
import { isMarkerUnknown, listMarkedForMaker, workMakersOf } from './making-steps.js';
import type { PublishedHistory } from './published-history.js';
import { publishedPageTexts as texts } from './published-page-texts.js';
import { shortenNames, shortenText } from './shorten-text.js';

/** A published history as HTML, and as texts for the head of a document. */
export interface PublishedPage {
  /** Title of the document. Contains only data of the published history. */
  title: string;
  description: string;
  /** HTML of the essential facts: one `main` element without scripts and styles. All values are escaped. */
  body: string;
}

type Step = PublishedHistory['steps'][number];
type Person = PublishedHistory['people'][number];
/** In UTC. */
type DayFormat = (instant: string) => string;

const MAX_NAMED = 5;
const MAX_PEOPLE = 100;
/** Maximum size of the steps as UTF-8. The step that exceeds this size is the last step on the page. */
const MAX_STEPS_BYTES = 2 ** 19;
/** Only imported records can have longer names. */
const MAX_NAME_LENGTH = 256;
const REF_DIGITS = 6;

/**
 * Renders a published history for readers without scripts: the level of AI, the makers and the steps, oldest first. The
 * page does not judge whether the records are true. To limit the size of the result, a step names at most 5 inputs and
 * 5 outputs. The page lists steps up to about 512 KiB of UTF-8, and at most 100 people and 5 licences. It says how many
 * it leaves out.
 *
 * @example
 * const facts = { type: 'image', ai: 'generated', makers: [], tools: [], steps: 0, sources: 0, complete: true };
 * const shown = { title: null, cid: 'b', people: [], steps: [], contents: [], withheld: [], hidden: 0, facts };
 * const page = renderPublishedPage({ ...shown, id: 'i', publishedAt: '2026-03-02T09:00:00.000Z', expiresAt: null });
 * [page.title, page.description]; // => ['Origin of a picture', 'AI-generated.']
 */
export function renderPublishedPage(history: PublishedHistory): PublishedPage {
  const title = titleOf(history);
  const { facts, id, license } = history;
  const dayOf = createDayFormat();
  const lines = [
    ...aiOf(history).map((said) => `${said}.`),
    facts.aiCorrected === true ? `${texts.aiCorrected}.` : '',
    madeBy(history),
    facts.steps === 0 ? '' : texts.steps(facts.steps),
    license === true ? licensesOf(history) : '',
  ];
  const description = lines.filter((line) => line !== '').join(' ');
  const { html: body } = markup`<main id="content" class="public stack">
<header class="stack">
<h1>${title}</h1>
<p class="public-lead">${description}</p>
${[labelOf(history), pictureOf(history, title)]}
</header>
${[withheldOf(history), stepsOf(history, dayOf), peopleOf(history), factsOf(history, dayOf)]}
<p>${texts.statements(performersOf(history))} ${texts.check} <a href="${`/app/api/public/${id}`}">${texts.data}</a></p>
</main>`;
  return { title, description, body };
}

function titleOf({ title, cid, contents, facts }: PublishedHistory): string {
  const { type } = facts;
  const { makers, furtherMakers } = workMakersOf(facts);
  const own = contents.find((content) => content.cid === cid)?.title;
  const kind = texts.kinds[type] ?? texts.kinds.other ?? type;
  const names = makers.flatMap(({ name, role }) => (name === undefined ? [] : [nameIn(name, role)]));
  const who = listMakers(names, furtherMakers);
  return title ?? own ?? (names.length === 0 ? texts.generic(kind) : texts.genericBy(kind, who));
}

function nameIn(name: string, role: string): string {
  const short = shortenText(name, MAX_NAME_LENGTH);
  return role === 'ai' ? texts.namedAi(short) : short;
}

/** Each name has at most 256 characters. */
function performersOf(history: PublishedHistory): string {
  return listOf(namePerformers(history).map((name) => shortenText(name, MAX_NAME_LENGTH)));
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
}

function aiOf({ facts: { ai, sources, tools, withoutAiBy } }: PublishedHistory): string[] {
  const level = tools.length === 0 ? texts.ai[ai] : `${texts.ai[ai]} (${tools.join(', ')})`;
  const isStated = withoutAiBy !== undefined && (ai === 'sources' || ai === 'unstated');
  if (ai !== 'human' && !isStated) return [level];
  const stated = withoutAiBy === undefined ? texts.ai.human : texts.statedBy(listOf(namesOf([withoutAiBy])));
  const statement = sources > 0 ? texts.notSources(stated) : stated;
  return ai === 'human' ? [statement] : [level, statement];
}

/** `further`: number of makers that `names` lacks. */
function listMakers(names: readonly string[], further?: number): string {
  const { shown, others } = shortenNames(names, further);
  return listOf(others === 0 ? shown : [...shown, texts.others(others)]);
}

function madeBy({ facts }: PublishedHistory): string {
  const { act = 'made', makers, furtherMakers, sourceMakers = [] } = facts;
  const who = listMakers(namesOf(makers), furtherMakers);
  const ofSources = listOf([...new Set(namesOf(sourceMakers))]);
  if (act === 'marked' && ofSources !== '')
    return `${texts.markedCopyOf(ofSources, isMarkerUnknown(facts) ? '' : who)}.`;
  const from = ofSources === '' ? '' : ` ${texts.fromWork(ofSources)}`;
  return who === '' ? '' : `${texts.acts[act]} ${texts.by(who)}${from}.`;
}

/** The result is empty without a licence. */
function licensesOf(history: PublishedHistory): string {
  const licenses = listShort(listLicenses(history));
  return licenses === '' ? '' : `${texts.license}: ${licenses}.`;
}

/** Names the first 5 items, and states the number of the others. */
function listShort(items: readonly string[], nameOf = (item: string) => item): string {
  const shown = items.slice(0, MAX_NAMED).map(nameOf).join(', ');
  return items.length > MAX_NAMED ? `${shown} ${texts.more(items.length - MAX_NAMED)}` : shown;
}

function namesOf(makers: PublishedHistory['facts']['makers']): string[] {
  return makers.map(({ name, role }) =>
    name === undefined ? (texts.somebody[role] ?? texts.unknown) : nameIn(name, role),
  );
}

function labelOf({ facts: { ai } }: PublishedHistory): Markup {
  const icon = iconOfLevel(levelOfFacts(ai));
  if (icon === null) return markup``;
  const { text, width, height } = describeLabel(icon);
  return markup`<p><img src="${`/public/labels/${icon}.svg`}" alt="${text}" width="${width}" height="${height}"></p>`;
}

function pictureOf({ picture }: PublishedHistory, title: string): Markup {
  return picture === undefined ? markup`` : markup`<p><img src="${picture}" alt="${title}"></p>`;
}

function withheldOf({ withheld, hidden }: PublishedHistory): Markup {
  if (withheld.length === 0 && hidden === 0) return markup``;
  const kinds = withheld.map((kind) => texts.withholdable[kind]).join(', ');
  const lines = [kinds === '' ? '' : texts.withheld(kinds), hidden === 0 ? '' : texts.hidden(hidden)];
  return markup`<p>${lines.filter((line) => line !== '').join(' ')}</p>`;
}

function stepsOf(history: PublishedHistory, dayOf: DayFormat): Markup {
  if (history.steps.length === 0) return markup``;
  const people = new Map(history.people.map((person) => [person.ref, namePerson(person)]));
  const titles = new Map(history.contents.map(({ cid, title }) => [cid, title]));
  const names = {
    dayOf,
    markedForMaker: listMarkedForMaker(history.steps),
    person: (ref: string) => people.get(ref) ?? ref.slice(0, REF_DIGITS),
    content: (cid: string) =>
      cid === history.cid ? texts.thisContent : (titles.get(cid) ?? texts.content(cid)),
  };
  const steps = orderSteps(history.steps, ({ at, inputs, outputs }) => ({
    atMs: Date.parse(at),
    inputs,
    outputs,
  }));
  const correctionsOf = numberCorrections(history, steps);
  const renderWith = (listed: number) => (step: Step, place: number) =>
    stepOf(step, { ...names, ...correctionsOf(step), number: place + 1, listed });
  const linked = untilTooLong(steps, renderWith(steps.length));
  // Render again without links to steps that the page leaves out. This only shortens the HTML.
  const items =
    linked.length === steps.length ? linked : steps.slice(0, linked.length).map(renderWith(linked.length));
  const left = steps.length - items.length;
  const notes = [
    ...(left > 0 ? [texts.moreSteps(left)] : []),
    ...(history.facts.complete ? [] : [texts.cut]),
  ];
  const cut = notes.map((note) => markup`<p>${note}</p>`);
  return markup`<section class="card"><h2>${texts.history}</h2>\n<ol>\n${items}</ol>${cut}</section>`;
}

function untilTooLong(steps: readonly Step[], render: (step: Step, place: number) => Markup): Markup[] {
  const encoder = new TextEncoder();
  const items: Markup[] = [];
  let sizeBytes = 0;
  for (const [place, step] of steps.entries()) {
    if (sizeBytes > MAX_STEPS_BYTES) break;
    const item = render(step, place);
    items.push(item);
    sizeBytes += encoder.encode(item.html).length;
  }
  return items;
}

interface Names {
  dayOf: DayFormat;
  /**
   * Steps in which the maker of the original marked a copy. The page names no performer, because somebody else can have
   * marked it.
   */
  markedForMaker: ReadonlySet<Step>;
  person: (ref: string) => string;
  content: (cid: string) => string;
}

/** Numbers in the list of all steps. */
interface Corrections {
  corrects: number | undefined;
  correctedBy: number | undefined;
}

/** `ordered`: the steps in the order of the list. */
function numberCorrections(
  { steps }: PublishedHistory,
  ordered: readonly Step[],
): (step: Step) => Corrections {
  const numbers = new Map(ordered.map((step, place) => [step, place + 1]));
  const numberAt = (place = -1) => {
    const step = steps[place];
    return step && numbers.get(step);
  };
  const found = [...findCorrectedSteps(steps)];
  const corrections = new Map(found.map(([corrected, correction]) => [steps[corrected], correction]));
  return (step) => ({
    corrects: numberAt(step.corrects),
    correctedBy: numberAt(corrections.get(step)),
  });
}

/** `listed`: number of steps on the page. */
interface Place {
  number: number;
  listed: number;
}

function stepOf(step: Step, names: Names & Corrections & Place): Markup {
  const { at, by, inputs, outputs, tool, signed } = step;
  const list = (cids: readonly string[]) => listShort(cids, names.content);
  const parts: Piece[] = [
    verbOf(step, names),
    list(outputs),
    inputs.length === 0 ? '' : `${texts.from} ${list(inputs)}`,
    tool === undefined
      ? ''
      : texts.using([tool.provider, tool.model, tool.version].filter(Boolean).join(' ')),
  ];
  const said = `${parts.filter((part) => part !== '').join(' ')}${signed ? `, ${texts.signed}` : ''}.`;
  const correction = correctionOf(names);
  const id = correction.length === 0 ? markup`` : markup` id="entry-${names.number}"`;
  const who = names.markedForMaker.has(step) ? markup`` : markup`<strong>${names.person(by)}</strong> `;
  return markup`<li${id}><time datetime="${at}">${names.dayOf(at)}</time>: ${who}${said}${statementOf(step, names)}${correction}</li>\n`;
}

function verbOf(step: Step, { markedForMaker }: Pick<Names, 'markedForMaker'>): string {
  const { type, markedCid } = step;
  if (markedCid === undefined) return texts.did[type] ?? texts.did.other ?? type;
  return markedForMaker.has(step) ? texts.markedForMaker : texts.markedCopy;
}

/** Only listed steps get links. */
function correctionOf({ corrects, correctedBy, listed }: Corrections & Place): Markup[] {
  const say = (text: string, number: number) =>
    number > listed ? markup` ${text}.` : markup` <a href="${`#entry-${number}`}">${text}</a>.`;
  return [
    ...(corrects === undefined ? [] : [say(texts.corrects(corrects), corrects)]),
    ...(correctedBy === undefined ? [] : [say(texts.correctedBy(correctedBy), correctedBy)]),
  ];
}

/** The result is empty for corrected steps. */
function statementOf({ by, withoutAi }: Step, names: Names & Corrections): string {
  return withoutAi === true && names.correctedBy === undefined ? ` ${texts.statedBy(names.person(by))}.` : '';
}

function namePerson({ name, role, ref, hidden }: Person): string {
  if (name !== undefined) return shortenText(name, MAX_NAME_LENGTH);
  const kind = texts.roles[role] ?? texts.roles.other ?? role;
  return hidden
    ? texts.pseudonym(kind, ref.slice(0, REF_DIGITS))
    : texts.unnamed(kind, ref.slice(0, REF_DIGITS));
}

function peopleOf(history: PublishedHistory): Markup {
  const people = listCurrentPeople(history);
  if (people.length === 0) return markup``;
  const items = people.slice(0, MAX_PEOPLE).map((person) => {
    const kind = texts.roles[person.role] ?? texts.roles.other ?? person.role;
    return markup`<li>${namePerson(person)}${person.name === undefined ? '' : ` (${kind})`}</li>\n`;
  });
  const left = people.length - items.length;
  const more = left > 0 ? [markup`<li>${texts.more(left)}</li>`] : [];
  return markup`<section class="card"><h2>${texts.people}</h2>\n<ul>\n${[...items, ...more]}</ul></section>`;
}

function factsOf(history: PublishedHistory, dayOf: DayFormat): Markup {
  const { cid, facts, publishedAt, expiresAt } = history;
  const licenses = listShort(listLicenses(history));
  const rows = [
    [texts.kind, [facts.type, facts.mimeType].filter(Boolean).join(', ')],
    ...(licenses === '' ? [] : [[texts.license, licenses]]),
    [texts.published, dayOf(publishedAt)],
    ...(expiresAt === null ? [] : [[texts.expires, dayOf(expiresAt)]]),
    [texts.cid, cid],
  ].map(([name = '', value = '']) => markup`<dt>${name}</dt><dd>${value}</dd>\n`);
  return markup`<section class="card"><h2>${texts.facts}</h2>\n<dl class="facts">\n${rows}</dl></section>`;
}

/** One formatter, because creating one for each day would take much longer. */
function createDayFormat(): DayFormat {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
    timeZone: 'UTC',
  } as const);
  return (instant) => {
    const date = new Date(instant);
    return Number.isNaN(date.getTime()) ? String(date) : format.format(date);
  };
}
