import { Component, type ReactNode } from 'react';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';

/** Shows a notice in place of a part that failed. The rest of the page still works. */
export class StopFault extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Notice kind="danger" title={shell.failed}>
        <Button onClick={() => window.location.reload()}>{shell.reload}</Button>
      </Notice>
    );
  }
}
