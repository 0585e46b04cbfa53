import { Component, type ReactNode } from 'react';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { PartNotLoadedError, renewParts } from './lazy-part.js';

/** `unloaded`: the code of the part did not arrive. */
type PartFault = 'none' | 'broken' | 'unloaded';

/**
 * Shows a notice in place of a failed part. Missing code is loaded again on a click, and as soon as the browser is
 * online.
 */
export class StopFault extends Component<{ children: ReactNode }, { fault: PartFault }> {
  override state: { fault: PartFault } = { fault: 'none' };

  constructor(props: { children: ReactNode }) {
    super(props);
    renewParts();
  }

  static getDerivedStateFromError(error: unknown): { fault: PartFault } {
    return { fault: error instanceof PartNotLoadedError ? 'unloaded' : 'broken' };
  }

  override componentDidMount() {
    window.addEventListener('online', this.loadAgain);
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.loadAgain);
  }

  loadAgain = () => {
    if (this.state.fault !== 'unloaded') return;
    renewParts();
    this.setState({ fault: 'none' });
  };

  override render() {
    switch (this.state.fault) {
      case 'none':
        return this.props.children;
      case 'unloaded':
        return (
          <section className="card narrow">
            <h1>{shell.unloaded.title}</h1>
            <p>{shell.unloaded.why}</p>
            <div className="row">
              <Button onClick={this.loadAgain}>{shell.unloaded.again}</Button>
            </div>
          </section>
        );
      case 'broken':
        return (
          <Notice kind="danger" title={shell.failed}>
            <Button onClick={() => window.location.reload()}>{shell.reload}</Button>
          </Notice>
        );
    }
  }
}
