import { type Bundle, licenseOf, promptsOf } from '@colophon/model';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { formatList, formatSize } from '../../languages/formats.js';
import { useMarkOffer } from '../../marking/mark-button.js';
import { markingOf } from '../../marking/marking-of.js';
import { correctionPath, newestStepOf } from '../../shell/correction.js';
import { Link } from '../../shell/navigation.js';
import { useClient } from '../../shell/project.js';
import { nameTool } from '../../shell/tool.js';
import type { Titles } from '../../shell/use-titles.js';
import { explore } from '../../strings/explore.js';
import { Button } from '../../ui/button.js';
import { CopyText } from '../../ui/copy-text.js';
import { Instant } from '../../ui/instant.js';
import { Thumbnail } from '../../ui/thumbnail.js';
import type { History, HistoryNode, StepGroup } from '../history/history.js';
import type { Label } from '../history/labels.js';
import { makingOf } from '../history/making-of.js';
import { AiMark } from '../picture/ai-mark.js';
import { CorrectedMark } from '../picture/corrected-mark.js';
import { Connected } from './connected.js';
import { ContentLevel, StatedLevel } from './content-level.js';
import { LongTexts } from './long-texts.js';
import { Proof } from './proof.js';
import { TitleField } from './title-field.js';

const texts = explore.details;

interface DetailsProps {
  bundle: Bundle;
  history: History;
  titles: Titles;
  labels: readonly Label[];
  node: number;
  /** Undefined if the user cannot fold this node. */
  isFolded: boolean | undefined;
  takesFocus: (id: string) => boolean;
  /** Undefined for a node that is not a group. */
  onOpenGroup: (() => void) | undefined;
  onFold: (id: string) => void;
  onSelect: (node: number) => void;
  onTitle: (cid: string, title: string | null) => void;
  onClose: () => void;
}

export function Details({
  bundle,
  history,
  titles,
  labels,
  node,
  isFolded,
  onFold,
  onSelect,
  ...props
}: DetailsProps) {
  const { takesFocus, onOpenGroup, onTitle, onClose } = props;
  const shown = history.nodes[node];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus(shown?.id ?? '')) heading.current?.focus();
  });
  const withoutAi = labels[node]?.withoutAi;
  if (shown === undefined) return null;
  const correction = findCorrection(bundle, shown);
  return (
    <div className="stack">
      <div className="row spread">
        <h2 ref={heading} tabIndex={-1}>
          {labels[node]?.title}
          <AiMark label={labels[node]} />
        </h2>
        <Button kind="quiet" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
      {shown.kind === 'resource' ? (
        <Thumbnail
          cid={shown.cid}
          title={labels[node]?.title ?? shown.cid}
          mimeType={shown.resource?.mimeType}
        />
      ) : null}
      {shown.kind === 'resource' ? (
        <>
          <ContentLevel bundle={bundle} cid={shown.cid} />
          <TitleField
            key={titles[shown.cid] ?? ''}
            cid={shown.cid}
            title={titles[shown.cid]}
            onTitle={onTitle}
          />
        </>
      ) : null}
      <dl className="facts">
        {factsOf(shown, history)}
        {shown.kind === 'action' && withoutAi !== undefined ? (
          <Fact name={explore.ai}>
            <StatedLevel bundle={bundle} action={shown.action} words={withoutAi} />
          </Fact>
        ) : null}
        <Fact name={explore.correction.fact}>{labels[node]?.corrects}</Fact>
        <CorrectedBy node={shown} history={history} onSelect={onSelect} />
      </dl>
      <div className="row">
        {shown.kind === 'resource' && node !== history.focus ? (
          <Link className="button" to={`/explore/${shown.cid}`}>
            {texts.explore}
          </Link>
        ) : null}
        {correction === undefined ? null : (
          <Link className="button" to={correction}>
            {texts.correct}
          </Link>
        )}
        {shown.kind === 'resource' ? (
          <MarkCopy bundle={bundle} cid={shown.cid} title={titles[shown.cid]} />
        ) : null}
        {onOpenGroup === undefined ? null : (
          <Button kind="primary" onClick={onOpenGroup}>
            {explore.groups.open}
          </Button>
        )}
        {isFolded === undefined ? null : (
          <Button onClick={() => onFold(shown.id)}>
            {isFolded ? explore.fold.unfold : explore.fold.fold}
          </Button>
        )}
      </div>
      {shown.kind === 'group' ? null : <ProofOf node={shown} />}
      <Connected {...{ history, labels, node, onSelect }} />
      {shown.kind === 'group' ? null : <WholeRecord node={shown} />}
    </div>
  );
}

/** Offers a marked copy of a stored file, if AI made or edited it and a step names the AI. */
function MarkCopy({ bundle, cid, title = '' }: { bundle: Bundle; cid: string; title: string | undefined }) {
  const client = useClient();
  const marking = useMemo(() => markingOf(client, bundle, { cid, title }), [client, bundle, cid, title]);
  return useMarkOffer(marking, cid)?.button ?? null;
}

/**
 * Returns the path of the form that corrects the step of an action node, or the newest step of a content node.
 * Undefined for a step with several outputs, and for a corrected step.
 */
function findCorrection(bundle: Bundle, node: HistoryNode): string | undefined {
  if (node.kind === 'resource') {
    const step = node.resource?.rootAction === undefined ? undefined : newestStepOf(bundle, node.cid);
    return step && correctionPath(node.cid, step.id);
  }
  if (node.kind !== 'action' || node.correctedBy !== undefined) return undefined;
  const [output, ...more] = node.action.outputCids;
  return output === undefined || more.length > 0 ? undefined : correctionPath(output, node.action.id);
}

function factsOf(node: HistoryNode, history: History): ReactNode {
  switch (node.kind) {
    case 'resource':
      return <ResourceFacts node={node} history={history} />;
    case 'action':
      return (
        <>
          <Fact name={texts.when}>
            <Instant at={node.action.timestamp} />
          </Fact>
          <Fact name={texts.tool}>{nameTool(node.action)}</Fact>
          <LongTexts name={texts.note} all={node.notes} />
          <LongTexts name={texts.prompt} all={promptsOf(node.action)} />
          <Fact name={texts.license}>{licenseOf(node.action)}</Fact>
          <Fact name={texts.actionId}>
            <CopyText text={node.action.id} label={texts.actionId} />
          </Fact>
        </>
      );
    case 'entity':
      return (
        <>
          <Fact name={texts.label}>{explore.roles[node.entity.role] ?? node.entity.role}</Fact>
          <Fact name={texts.entityId}>
            <CopyText text={node.entity.id} label={texts.entityId} />
          </Fact>
        </>
      );
    case 'tool':
      return <Fact name={texts.by}>{node.tool.provider}</Fact>;
    case 'group':
      return <GroupFacts {...node.group} />;
  }
}

/** A click selects the later step, if the drawn history contains it. */
function CorrectedBy({
  node,
  history: { nodes },
  onSelect,
}: Pick<DetailsProps, 'history' | 'onSelect'> & { node: HistoryNode }) {
  if (node.kind !== 'action' || node.correctedBy === undefined) return null;
  const place = nodes.findIndex(({ id }) => id === node.correctedBy);
  return (
    <Fact name={explore.correction.fact}>
      <CorrectedMark onSelect={place < 0 ? undefined : () => onSelect(place)} />
    </Fact>
  );
}

function ResourceFacts({ node, history }: { node: HistoryNode & { kind: 'resource' }; history: History }) {
  const { cid, origin, notes, resource } = node;
  const { makers, licenses } = makingOf(history, node);
  return (
    <>
      <Fact name={texts.state}>{texts.states[origin]}</Fact>
      <Fact name={texts.by}>{makers.length === 0 ? undefined : formatList(makers)}</Fact>
      <Fact name={texts.license}>{licenses.length === 0 ? undefined : formatList(licenses)}</Fact>
      <LongTexts name={texts.note} all={notes} />
      <Fact name={texts.media}>{resource?.mimeType}</Fact>
      <Fact name={texts.size}>{resource?.size === undefined ? undefined : formatSize(resource.size)}</Fact>
      <Fact name={texts.id}>
        <CopyText text={cid} label={texts.id} />
      </Fact>
    </>
  );
}

function GroupFacts({ actions, contents }: StepGroup) {
  const [first, last] = [actions[0], actions.at(-1)];
  return (
    <>
      {first === undefined || last === undefined ? null : (
        <Fact name={explore.groups.period}>
          <Instant at={first.timestamp} /> – <Instant at={last.timestamp} />
        </Fact>
      )}
      {contents === 0 ? null : <Fact name={texts.made}>{explore.groups.files(contents)}</Fact>}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ProofOf({ node }: { node: HistoryNode }) {
  if (node.kind === 'action') return <Proof key={node.id} kind="action" id={node.action.id} />;
  if (node.kind === 'entity') return <Proof key={node.id} kind="entity" id={node.entity.id} />;
  const made = node.kind === 'resource' ? node.resource?.rootAction : undefined;
  if (made !== undefined) return <Proof key={node.id} kind="action" id={made} isOfMaking />;
  return <p className="quiet">{explore.proof.noReceipt}</p>;
}

function WholeRecord({ node }: { node: HistoryNode }) {
  const record = recordOf(node);
  if (record === undefined) return <p className="quiet">{texts.noRecord}</p>;
  return (
    <details>
      <summary>{texts.all}</summary>
      <pre>{JSON.stringify(record, null, 2)}</pre>
    </details>
  );
}

function recordOf(node: HistoryNode): object | undefined {
  switch (node.kind) {
    case 'resource':
      return node.resource;
    case 'action':
      return node.action;
    case 'entity':
      return node.entity;
    case 'tool':
    case 'group':
      return undefined;
  }
}
