import { navigate, useQuery } from '../shell/navigation.js';
import { OpenProject } from '../shell/open-project.js';

/** Shows this check again at `/check`, because `/` with a project is the library. */
export function OpenForCheck() {
  const next = `/check${useQuery()}`;
  return <OpenProject next={next} onDone={() => navigate(next, { isNewEntry: false })} />;
}
