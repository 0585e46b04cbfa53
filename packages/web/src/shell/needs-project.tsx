import { shell } from '../strings/shell.js';
import { LazySwitcher } from './lazy-switcher.js';
import { useProject } from './project.js';

const stay = () => {};

/** The story appears when the user opens a project. */
export function NeedsProject() {
  const { isLoading } = useProject();
  if (isLoading) return <p className="quiet">{shell.loading}</p>;
  return (
    <section className="card narrow">
      <h1>{shell.projects.needed}</h1>
      <LazySwitcher onDone={stay} />
    </section>
  );
}
