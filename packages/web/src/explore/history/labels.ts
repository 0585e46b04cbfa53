import {
  type Action,
  type Entity,
  listMarkedForMaker,
  MARK_EXTENSION,
  namedCorrection,
  readDisclosure,
} from '@colophon/model';
import { formatInstant } from '../../languages/formats.js';
import { shortCid, titleOfType } from '../../shell/short-labels.js';
import { statesNoAi } from '../../shell/states-no-ai.js';
import { toolOf } from '../../shell/tool.js';
import type { Titles } from '../../shell/use-titles.js';
import { aiLevels } from '../../strings/ai-levels.js';
import { explore } from '../../strings/explore.js';
import { factTexts } from '../../strings/facts.js';
import { history } from '../../strings/history.js';
import { isAiAction } from './ai-action.js';
import type { History, HistoryNode, StepGroup } from './history.js';

/** Text of a card. `mark` is a very short text for a card without a picture. */
export interface Label {
  title: string;
  detail: string;
  mark: string;
  /** Whether an AI took part in the action, or in one of the actions of a group. */
  isAi?: boolean;
  /** The statement of the performer that no AI took part. */
  withoutAi?: string;
  /** The entry that the action corrects, and the time at which the action was recorded. */
  corrects?: string;
}

type ActionNode = HistoryNode & { kind: 'action' };

const MARK_LENGTH = 5;

/**
 * Returns the label of each node. The label of a content begins with its title, if it has one. `people`: all nodes of
 * the history before its grouping, because a grouped history lacks some entities, actions and contents.
 */
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
  const recorded = new Set(
    people.nodes.flatMap((node) =>
      node.kind === 'resource' && (node.origin === 'made' || node.origin === 'claimed') ? [node.cid] : [],
    ),
  );
  const markedForMaker = listIdsMarkedForMaker(people, recorded);
  return nodes.map((node) => labelOf(node, { titles, nameOf, ais, times, recorded, markedForMaker }));
}

interface LabelSources {
  titles: Titles;
  nameOf: (entityId: string) => string;
  /** The ids of entities that are AI systems. */
  ais: ReadonlySet<string>;
  /** The times of the actions, by id. */
  times: ReadonlyMap<string, string>;
  /** The CIDs of the contents that are recorded. */
  recorded: ReadonlySet<string>;
  /** The ids of the marks whose performer made the marked content. Somebody else can have marked it. */
  markedForMaker: ReadonlySet<string>;
}

function labelOf(node: HistoryNode, sources: LabelSources): Label {
  const { titles, nameOf, ais, times, recorded } = sources;
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
      const by = sources.markedForMaker.has(node.action.id) ? explore.ofFileBy(name) : explore.by(name);
      const mark = node.correctedBy === undefined ? '' : `${history.correctedShort} · `;
      const isAi = isAiAction(node.action, ais);
      return {
        title: titleOf(node, recorded),
        detail: `${mark}${tool === undefined ? by : `${by} ${explore.withTool(tool.name)}`}`,
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

/** Returns the title of a step. The title of a marked copy has the AI level of the mark. */
function titleOf(node: ActionNode, recorded: ReadonlySet<string>) {
  const { action, named } = node;
  const disclosure = readDisclosure(action.extensions[MARK_EXTENSION]);
  const isCopy = named.markedCid !== undefined || looksMarked(node, recorded);
  if (!isCopy || disclosure === undefined || disclosure === null) return titleOfType(action.type);
  return explore.markedCopy(disclosure === 'ai_generated' ? aiLevels.generated : aiLevels.assisted);
}

/**
 * Whether a step without `markedCid`, such as one of an earlier version, probably made a marked copy: it has an AI mark,
 * no AI tool and a single recorded source. The type of such a step is `transform` or `generate`.
 */
function looksMarked(
  { action: { type, aiTool }, named: { inputs, outputs } }: ActionNode,
  recorded: ReadonlySet<string>,
): boolean {
  const isOfOne = inputs.length === 1 && outputs.length === 1 && recorded.has(inputs[0] ?? '');
  return isOfOne && aiTool === undefined && (type === 'transform' || type === 'generate');
}

/** The statement that a step used no AI does not cover its sources. */
function sayWithoutAi({ inputCids }: Action, name: string): string {
  return inputCids.length > 0 ? aiLevels.statedForFile(name) : aiLevels.statedBy(name);
}

function listIdsMarkedForMaker(
  { nodes }: Pick<History, 'nodes'>,
  recorded: ReadonlySet<string>,
): Set<string> {
  const steps = nodes.flatMap((node) => {
    if (node.kind !== 'action') return [];
    const { id, type, performedBy: by, extensions } = node.action;
    const { inputs, outputs, markedCid } = node.named;
    const isMark = typeof readDisclosure(extensions[MARK_EXTENSION]) === 'string';
    const guessed = isMark && looksMarked(node, recorded) ? inputs[0] : undefined;
    return [{ id, type, by, outputs, markedCid: markedCid ?? guessed }];
  });
  return new Set([...listMarkedForMaker(steps)].map(({ id }) => id));
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
  const types = [...new Set(actions.map(({ type }) => type))];
  const people = [...new Set(actions.map(({ performedBy }) => performedBy))];
  return {
    title: texts.steps(actions.length, types.length === 1 ? titleOfType(types[0] ?? '') : undefined),
    detail: people.length === 1 ? explore.by(nameOf(people[0] ?? '')) : texts.makers(people.length),
    mark: String(actions.length),
    isAi: actions.some((action) => isAiAction(action, ais)),
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
