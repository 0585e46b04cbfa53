import type { Mark, MarkLayer } from '@colophon/model';
import { useEffect, useRef, useState } from 'react';
import { NotFindable } from '../publishing/not-findable.js';
import { PublishButton } from '../publishing/publish-button.js';
import { Link } from '../shell/navigation.js';
import { useClient, useProject } from '../shell/project.js';
import { ReadOnly, useReadingMember } from '../shell/reading-member.js';
import { saveFile } from '../shell/save-file.js';
import { sayError } from '../shell/say-error.js';
import { aiLevels } from '../strings/ai-levels.js';
import { marking as text } from '../strings/marking.js';
import { record } from '../strings/record.js';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import { DISCLOSURES, type Marking, nameCopy, type SharedCopy } from './to-marking.js';
import { useMark, usePendingLayers } from './use-mark.js';

interface MarkFormProps extends SharedCopy {
  marking: Marking;
  /** Whether the service makes the copy at present. */
  onSending: (isSending: boolean) => void;
}

/**
 * Shows the form, or the made copy. A user who can only read sees the members who can change roles instead of the form.
 */
export function MarkForm({ made, ...form }: MarkFormProps) {
  const { reader, isLoading } = useReadingMember();
  if (made !== undefined)
    return <MarkedCopy mark={made} fileName={nameCopy(form.marking)} onMade={form.onMade} />;
  if (isLoading) return <p className="quiet">{shell.loading}</p>;
  return reader === undefined ? <Statement {...form} /> : <ReadOnly member={reader} />;
}

function Statement({ marking, actionIds, onMade, onSending }: Omit<MarkFormProps, 'made'>) {
  const [aiDisclosure, setDisclosure] = useState(marking.suggested);
  const { state, me, isLoading, start, cancel } = useMark(marking, onMade);
  const words = { ai_generated: aiLevels.generated, ai_assisted: aiLevels.assisted };
  const place = useFocusAfter(state.kind);
  const isSending = state.kind === 'sending';
  useEffect(() => {
    onSending(isSending);
    return () => onSending(false);
  }, [isSending, onSending]);
  if (state.kind === 'sending')
    return (
      <div key="sending" ref={place} tabIndex={-1} className="stack">
        <Progress label={state.share === undefined ? text.working : record.sending} share={state.share} />
        <div className="row">
          <Button onClick={cancel}>{record.cancel}</Button>
        </div>
      </div>
    );
  return (
    <div key="choosing" ref={place} tabIndex={-1} className="stack">
      <p>{text.means}</p>
      <Choice
        label={text.statement}
        options={DISCLOSURES.map((value) => ({ value, text: words[value] }))}
        value={aiDisclosure}
        hint={text.statementHint(words.ai_generated, words.ai_assisted)}
        onChoose={setDisclosure}
      />
      {isLoading ? <p className="quiet">{shell.loading}</p> : <Performer name={me?.name} />}
      <NotFindable />
      {state.fault === undefined ? null : <Notice kind="danger">{state.fault}</Notice>}
      <div className="row">
        <Button
          kind="primary"
          disabled={isLoading}
          onClick={() => start({ aiDisclosure, actionId: actionIds[aiDisclosure] })}
        >
          {text.make}
        </Button>
      </div>
    </div>
  );
}

function Performer({ name }: { name: string | undefined }) {
  return name === undefined ? null : <p className="hint">{text.by(name)}</p>;
}

/**
 * Moves the focus after each change of `kind`. The focused button disappears with this change, so the focus would leave
 * the dialog.
 */
function useFocusAfter(kind: string) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(kind);
  useEffect(() => {
    if (shown.current !== kind) place.current?.focus();
    shown.current = kind;
  }, [kind]);
  return place;
}

function MarkedCopy({
  mark,
  fileName,
  onMade,
}: {
  mark: Mark;
  fileName: string;
  onMade: (mark: Mark) => void;
}) {
  const { cid, layers, display } = mark;
  usePendingLayers(mark, onMade);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {text.done}
      </h3>
      <p>{text.doneMeans}</p>
      <ul className="bare">
        {layers.map((layer) => (
          <Layer key={layer.kind} layer={layer} />
        ))}
      </ul>
      {display === null ? null : <Signer of={display} />}
      <div className="row">
        <DownloadButton cid={cid} fileName={fileName} />
        <PublishButton cid={cid} />
        <Link className="button" to={`/explore/${cid}`}>
          {text.history}
        </Link>
      </div>
    </>
  );
}

/** A pending layer needs no further action of the user. */
function Layer({ layer: { kind, state, reason } }: { layer: MarkLayer }) {
  return (
    <li>
      {text.layers[kind]}: <strong>{text.states[state]}</strong>
      {state === 'pending' ? <p className="hint">{text.pending}</p> : null}
      {state !== 'unavailable' || reason === undefined ? null : (
        <p className="hint" lang="en">
          {reason}
        </p>
      )}
    </li>
  );
}

/** Warns of a signer on no trust list, such as the development certificate of the service. */
function Signer({ of: { signedBy, facts } }: { of: NonNullable<Mark['display']> }) {
  const { chosen } = useProject();
  const signer = signedBy === null ? text.signerUnnamed : text.signer(signedBy);
  if (facts?.isSignerTrusted === true) return <p>{signer}</p>;
  return (
    <Notice kind="warning" title={signer}>
      <p>{text.unverified}</p>
      {chosen === undefined ? null : (
        <p>
          <Link to={`/manage/projects/${chosen.id}?tab=certificates`}>{text.certificates}</Link>
        </p>
      )}
    </Notice>
  );
}

function DownloadButton({ cid, fileName }: { cid: string; fileName: string }) {
  const client = useClient();
  const [isLoading, setIsLoading] = useState(false);
  const [fault, setFault] = useState<string>();
  const download = async () => {
    setIsLoading(true);
    setFault(undefined);
    try {
      saveFile(await (await client.resources.content(cid)).blob(), fileName);
    } catch (error) {
      setFault(sayError(error));
    }
    setIsLoading(false);
  };
  return (
    <>
      <Button kind="primary" disabled={isLoading} onClick={download}>
        {text.download}
      </Button>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
    </>
  );
}
