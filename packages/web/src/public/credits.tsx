import { countUnmade, listCurrentCredits, type PublishedHistory } from '@colophon/model';
import { published } from '../strings/public.js';
import { nameCreditRole, namePeople, nameWork } from './name-person.js';

type Credit = PublishedHistory['credits'][number];

export function Credits({ history }: { history: PublishedHistory }) {
  const credits = listCurrentCredits(history);
  if (credits.length === 0) return null;
  const nameOf = namePeople(history);
  const contentOf = nameWork(history);
  const nameTarget = (cid: string | undefined) => (cid === undefined ? '' : contentOf(cid));
  const targetOf = ({ cid, step }: Credit) => {
    const outputs = step === undefined ? [] : (history.steps[step]?.outputs ?? []);
    return [cid, ...outputs].find((one) => one !== undefined);
  };
  const unmade = countUnmade(history);
  const columns = [
    { head: published.role, read: nameCreditRole },
    { head: published.what, read: (credit: Credit) => nameTarget(targetOf(credit)) },
    { head: published.weight, read: ({ weight }: Credit) => String(weight ?? '') },
    { head: published.note, read: ({ note = '' }: Credit) => note },
  ].filter(({ read }) => credits.some((credit) => read(credit) !== ''));
  return (
    <section className="card">
      <h2>{published.credits}</h2>
      <table className="public-credits">
        <thead>
          <tr>
            {[published.who, ...columns.map(({ head }) => head)].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {credits.map((credit, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: credits have no ids, and their order is fixed
            <tr key={`${place} ${credit.by}`}>
              <th scope="row">{nameOf(credit.by)}</th>
              {columns.map(({ head, read }) => (
                <td key={head} data-head={head}>
                  {read(credit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {unmade === 0 ? null : <p className="quiet">{published.unmade(unmade)}</p>}
    </section>
  );
}
