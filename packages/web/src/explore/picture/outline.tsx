import { orderActions, promptsOf } from '@colophon/model';
import { useState } from 'react';
import { explore } from '../../strings/explore.js';
import { Button } from '../../ui/button.js';
import type { LabelledHistory } from '../draw/scene.js';
import type { HistoryNode } from '../history/history.js';
import type { Label } from '../history/labels.js';
import { shorten } from '../history/shorten.js';
import { AiMark } from './ai-mark.js';
import { CorrectedMark } from './corrected-mark.js';

const texts = explore.list;
const STEPS_OF_PAGE = 10;

interface OutlineProps {
  scene: LabelledHistory;
  lit: ReadonlySet<number> | undefined;
  selected: number | undefined;
  onSelect: (node: number) => void;
}

/** The picture as a list, oldest action first. */
export function Outline({ scene, lit, selected, onSelect }: OutlineProps) {
  const steps = stepsOf(scene).filter((step) => lit?.has(step) ?? true);
  const [first, setFirst] = useState(0);
  const from = Math.min(first, Math.max(0, steps.length - 1));
  const shown = steps.slice(from, from + STEPS_OF_PAGE);
  return (
    <section className="card outline">
      <h2>{texts.title}</h2>
      <p aria-live="polite" className="quiet">
        {texts.steps(from + 1, from + shown.length, steps.length)}
      </p>
      <ol start={from + 1}>
        {shown.map((step) => (
          <Step key={scene.history.nodes[step]?.id} {...{ scene, step, selected, onSelect }} />
        ))}
      </ol>
      {steps.length <= STEPS_OF_PAGE ? null : (
        <div className="row">
          <Button disabled={from === 0} onClick={() => setFirst(Math.max(0, from - STEPS_OF_PAGE))}>
            {texts.earlier}
          </Button>
          <Button
            disabled={from + STEPS_OF_PAGE >= steps.length}
            onClick={() => setFirst(from + STEPS_OF_PAGE)}
          >
            {texts.later}
          </Button>
        </div>
      )}
    </section>
  );
}

function Step({
  scene,
  step,
  selected,
  onSelect,
}: Pick<OutlineProps, 'scene' | 'selected' | 'onSelect'> & { step: number }) {
  const joined = (scene.edgesOf[step] ?? []).flatMap((index) => {
    const edge = scene.history.edges[index];
    if (edge === undefined) return [];
    return edge.to === step
      ? [{ node: edge.from, says: edge.kind === 'consumes' ? texts.used : '' }]
      : [{ node: edge.to, says: texts.made }];
  });
  const item = (node: number) => (
    <button
      type="button"
      className="inline"
      aria-current={node === selected ? 'true' : undefined}
      onClick={() => onSelect(node)}
    >
      {scene.labels[node]?.title}
      <AiMark label={scene.labels[node]} /> <span className="quiet">{scene.labels[node]?.detail}</span>
    </button>
  );
  const shown = scene.history.nodes[step];
  const later = shown?.kind === 'action' ? shown.correctedBy : undefined;
  const place = scene.history.nodes.findIndex(({ id }) => id === later);
  return (
    <li>
      {item(step)}
      <StepTexts node={scene.history.nodes[step]} label={scene.labels[step]} />
      {later === undefined ? null : (
        <p className="quiet">
          <CorrectedMark onSelect={place < 0 ? undefined : () => onSelect(place)} />
        </p>
      )}
      <ul>
        {joined.map(({ node, says }) => (
          <li key={`${says} ${node}`}>
            {says === '' ? null : <span className="quiet">{says}: </span>}
            {item(node)}
          </li>
        ))}
      </ul>
    </li>
  );
}

function StepTexts({ node, label }: { node: HistoryNode | undefined; label: Label | undefined }) {
  if (node?.kind !== 'action') return null;
  const { note, prompt } = explore.details;
  const lines = [
    ...[label?.corrects, label?.withoutAi].filter((line) => line !== undefined),
    ...node.notes.map((text) => `${note}: ${shorten(text)}`),
    ...promptsOf(node.action).map((text) => `${prompt}: ${shorten(text)}`),
  ];
  return lines.map((line) => (
    <p key={line} className="quiet long-text">
      {line}
    </p>
  ));
}

function stepsOf({ history: { nodes } }: LabelledHistory): number[] {
  const indexOf = new Map(
    nodes.flatMap((node, index) => (node.kind === 'action' ? [[node.action, index]] : [])),
  );
  return orderActions([...indexOf.keys()]).map((action) => indexOf.get(action) ?? 0);
}
