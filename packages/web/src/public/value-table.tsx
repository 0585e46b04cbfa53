import { published } from '../strings/public.js';
import { toValueRows } from './to-value-rows.js';

export function ValueTable({ label, values }: { label: string; values: object }) {
  return (
    <>
      <table className="values" aria-label={label}>
        <tbody>
          {toValueRows(values).map(({ path, name, text, depth }) => (
            <tr key={path}>
              <th scope="row" colSpan={text === undefined ? 2 : 1}>
                <span style={{ paddingInlineStart: `${depth * 1.2}rem` }}>{name}</span>
              </th>
              {text === undefined ? null : <td>{text}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary>{published.moreAsJson}</summary>
        <pre>{JSON.stringify(values, null, 2)}</pre>
      </details>
    </>
  );
}
