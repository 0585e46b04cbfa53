import { useState } from 'react';
import { ui } from '../strings/ui.js';
import { Button } from './button.js';

export function CopyText({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(ui.copied);
    } catch {
      setSaid(ui.notCopied); // pages without TLS have no clipboard, and the user may deny access
    }
  };
  return (
    <span className="copy-text">
      <code>{text}</code>
      <Button kind="quiet" onClick={copy} aria-label={ui.copy(label)}>
        {said || ui.copyShort}
      </Button>
      <span role="status" className="unseen">
        {said}
      </span>
    </span>
  );
}
