import { shares as text } from '../strings/shares.js';
import { ShareMark } from './share-bar.js';
import type { ShareRow } from './share-rows.js';

export function ShareTable({ rows }: { rows: readonly ShareRow[] }) {
  const hasWallets = rows.some(({ hasWallet }) => hasWallet);
  return (
    <div className="share-table">
      <table>
        <caption>{text.table.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{text.table.who}</th>
            <th scope="col">{text.table.share}</th>
            <th scope="col">{text.table.why}</th>
            {hasWallets ? <th scope="col">{text.table.wallet}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.entityId}>
              <th scope="row">
                <ShareMark index={index} />
                {row.name}
              </th>
              <td className="number">{row.percent}</td>
              <td>
                <Earned earned={row.earned} />
              </td>
              {hasWallets ? <td>{row.hasWallet ? text.hasWallet : text.noWallet}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
      {hasWallets ? null : <p className="hint">{text.noWallets}</p>}
    </div>
  );
}

function Earned({ earned }: Pick<ShareRow, 'earned'>) {
  if (earned.length === 0) return <span className="quiet">{text.nothing}</span>;
  return (
    <ul className="plain">
      {earned.map(({ cid, percent, description, way }) => (
        <li key={cid}>
          {percent}, {description}
          {way.length < 2 ? null : (
            <details>
              <summary>{text.way}</summary>
              <p>{way.join(' ← ')}</p>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
