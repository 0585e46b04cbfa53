import type { PublishedHistory } from '@colophon/model';
import { published } from '../strings/public.js';
import { nameContent, namePeople } from './name-person.js';

export function Credits({ history }: { history: PublishedHistory }) {
  const { credits } = history;
  if (credits.length === 0) return null;
  const nameOf = namePeople(history);
  const contentOf = nameContent(history);
  const targetOf = ({ cid, step }: PublishedHistory['credits'][number]) => {
    const outputs = step === undefined ? [] : (history.steps[step]?.outputs ?? []);
    return [cid, ...outputs].find((one) => one !== undefined);
  };
  return (
    <section className="card">
      <h2>{published.credits}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className="public-scroll" tabIndex={0} aria-label={published.credits}>
        <table>
          <thead>
            <tr>
              {[published.who, published.role, published.what, published.weight, published.note].map(
                (head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {credits.map((credit, place) => {
              const target = targetOf(credit);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: credits have no ids, and their order is fixed
                <tr key={`${place} ${credit.by}`}>
                  <th scope="row">{nameOf(credit.by)}</th>
                  <td>{credit.role.replace(/^ext:/, '')}</td>
                  <td>{target === undefined ? '' : contentOf(target)}</td>
                  <td>{credit.weight ?? ''}</td>
                  <td>{credit.note ?? ''}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </section>
  );
}
