import {
  type Action,
  createWorkMakers,
  type Entity,
  listMarkedForMaker,
  MARK_EXTENSION,
  markedInput,
  namedCorrection,
  readDisclosure,
} from '@colophon/model';
import { formatInstant } from '../../languages/formats.js';
import { shortCid, titleOfType } from '../../shell/short-labels.js';
import { statesNoAi } from '../../shell/states-no-ai.js';
import { toolOf } from '../../shell/tool.js';
import type { Titles } from '../../shell/use-titles.js';
import { aiLevels } from '../../strings/ai-levels.js';
import { joinNames } from '../../strings/describe-facts.js';
import { explore } from '../../strings/explore.js';
import { factTexts } from '../../strings/facts.js';
import { history } from '../../strings/history.js';
import { isAiAction } from './ai-action.js';
import type { History, HistoryNode, StepGroup } from './history.js';
import { kindOfAction, listRecorded, readMarked, titleOfKind } from './marked-copies.js';

/** `mark`: a very short text for a card without a picture. */
export interface Label {
  title: string;
  detail: string;
  mark: string;
  /** Marked copies count too. */
  isAi?: boolean;
  withoutAi?: string;
  corrects?: string;
}

type ActionNode = HistoryNode & { kind: 'action' };

const MARK_LENGTH = 5;

/** `people`: all nodes before the grouping, because a grouped history lacks some of them. */
export function toLabels(
  { nodes }: Pick<History, 'nodes'>,
  titles: Titles = {},
  people: Pick<History, 'nodes'> = { nodes },
): Label[] {
  const names = new Map(
    people.nodes.flatMap((node) =>
      node.kind === 'entity' ? [[node.entity.id, nameOfEntity(node.entity)]] : [],
    ),
  );
  const nameOf = (id: string) => names.get(id) ?? id;
  const ais = aisOf(people);
  const times = new Map(
    people.nodes.flatMap((node) => (node.kind === 'action' ? [[node.action.id, node.action.timestamp]] : [])),
  );
  const sources = { titles, nameOf, ais, times, marks: mapMarks(people) };
  return nodes.map((node) => labelOf(node, sources));
}

interface LabelSources {
  titles: Titles;
  nameOf: (entityId: string) => string;
  ais: ReadonlySet<string>;
  times: ReadonlyMap<string, string>;
  /** Maps the id of the action that made a copy to its mark. */
  marks: ReadonlyMap<string, Mark>;
}

interface Mark {
  makers: readonly string[];
  /**
   * Whether the performer also made the original. Some clients name the maker as the performer, although somebody else
   * marked the file.
   */
  isForMaker: boolean;
}

function labelOf(node: HistoryNode, sources: LabelSources): Label {
  const { titles, nameOf, ais, times, marks } = sources;
  switch (node.kind) {
    case 'resource': {
      const { type = 'other', mimeType = '', state } = node.resource ?? {};
      const from = state === 'referenced' ? ` · ${explore.referenced}` : '';
      const kind = explore.resourceTypes[type] ?? type;
      const title = titles[node.cid];
      return {
        title: title ?? kind,
        detail: `${title === undefined ? '' : `${kind} · `}${shortCid(node.cid)}${from}`,
        mark: markOf(mimeType === 'text/plain' ? 'txt' : (mimeType.split('/')[1] ?? type)),
      };
    }
    case 'action': {
      const tool = toolOf(node.action);
      const name = nameOf(node.action.performedBy);
      const marked = marks.get(node.action.id);
      const by = marked === undefined ? explore.by(name) : sayMarkedBy(marked, name, nameOf);
      const mark = node.correctedBy === undefined ? '' : `${history.correctedShort} · `;
      const isAi = marked !== undefined || isAiAction(node.action, ais);
      const isPlain = tool === undefined || marked !== undefined;
      return {
        title: marked === undefined ? titleOfType(node.action.type) : titleOfCopy(node),
        detail: `${mark}${isPlain ? by : `${by} ${explore.withTool(tool.name)}`}`,
        mark: initialsOf(name),
        isAi,
        ...(!isAi && statesNoAi(node.action) ? { withoutAi: sayWithoutAi(node.action, name) } : {}),
        ...sayCorrected(node.action, times),
      };
    }
    case 'entity':
      return {
        title: nameOfEntity(node.entity),
        detail: explore.roles[node.entity.role] ?? node.entity.role,
        mark: initialsOf(nameOfEntity(node.entity)),
      };
    case 'tool':
      return { title: node.tool.name, detail: node.tool.provider ?? explore.tool, mark: '' };
    case 'group':
      return labelOfGroup(node.group, sources);
  }
}

function titleOfCopy({ action }: ActionNode): string {
  const isGenerated = readDisclosure(action.extensions[MARK_EXTENSION]) === 'ai_generated';
  return explore.markedCopy(isGenerated ? aiLevels.generated : aiLevels.assisted);
}

function sayMarkedBy({ makers, isForMaker }: Mark, marker: string, nameOf: LabelSources['nameOf']): string {
  const who = joinNames([...new Set(makers.map(nameOf))]);
  return isForMaker ? explore.by(who) : explore.markedBy(who, marker);
}

/** The statement that a step used no AI does not cover its sources. */
function sayWithoutAi({ inputCids }: Action, name: string): string {
  return inputCids.length > 0 ? aiLevels.statedForFile(name) : aiLevels.statedBy(name);
}

function mapMarks(history: Pick<History, 'nodes'>): Map<string, Mark> {
  const recorded = listRecorded(history);
  const steps = history.nodes.flatMap((node) => {
    if (node.kind !== 'action') return [];
    const { id, type, performedBy: by } = node.action;
    const isCorrected = node.correctedBy !== undefined;
    return [
      { id, type, by, outputs: node.named.outputs, markedCid: readMarked(node, recorded), isCorrected },
    ];
  });
  const current = steps.filter(({ isCorrected }) => !isCorrected);
  const forMaker = listMarkedForMaker(steps, current);
  const makersOf = createWorkMakers(current);
  return new Map(
    steps.flatMap((step): [string, Mark][] => {
      if (step.markedCid === undefined) return [];
      return [[step.id, { makers: [...makersOf(step.markedCid)], isForMaker: forMaker.has(step) }]];
    }),
  );
}

function sayCorrected(action: Action, times: LabelSources['times']): Pick<Label, 'corrects'> {
  const id = namedCorrection(action);
  if (id === undefined) return {};
  const time = times.get(id);
  const { of, ofOther } = explore.correction;
  const corrects = time === undefined ? ofOther : of(formatInstant(time));
  return { corrects: `${corrects}. ${factTexts.recorded(formatInstant(action.recordedAt))}` };
}

function labelOfGroup({ actions, contents }: StepGroup, { nameOf, ais }: LabelSources): Label {
  const texts = explore.groups;
  if (actions.length === 0)
    return { title: texts.files(contents), detail: texts.sameUse, mark: String(contents) };
  const kinds = [...new Set(actions.map(kindOfAction))];
  const people = [...new Set(actions.map(({ performedBy }) => performedBy))];
  return {
    title: texts.steps(actions.length, kinds.length === 1 ? titleOfKind(kinds[0] ?? '') : undefined),
    detail: people.length === 1 ? explore.by(nameOf(people[0] ?? '')) : texts.makers(people.length),
    mark: String(actions.length),
    isAi: actions.some((action) => markedInput(action) !== undefined || isAiAction(action, ais)),
  };
}

function aisOf({ nodes }: Pick<History, 'nodes'>): Set<string> {
  return new Set(
    nodes.flatMap((node) => (node.kind === 'entity' && node.entity.role === 'ai' ? [node.entity.id] : [])),
  );
}

function nameOfEntity({ name, id }: Entity): string {
  return name ?? id;
}

function markOf(type: string): string {
  return type
    .replace(/^x-|\+.*$|[^a-z0-9]/gi, '')
    .slice(0, MARK_LENGTH)
    .toUpperCase();
}

function initialsOf(name: string): string {
  const words = name.split(/[\s:._-]+/).filter((word) => word !== '');
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
