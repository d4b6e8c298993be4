// What was put before the model in a session: when, which pieces, and what it cost.

import { usePages } from '../../api/questions';
import type { Injection, Piece } from '../../api/shapes';
import { Card } from '../../parts/card';
import { Failed, Loading, Nothing } from '../../parts/note';
import { When } from '../../parts/when';
import { count, many, spoken } from '../../parts/words';

export function Injected({ path }: { path: string }) {
  const given = usePages<Injection>(`${path}/injections`);
  if (given.isPending) return <Loading />;
  if (given.error !== null) return <Failed error={given.error} again={given.renew} />;
  if (given.items.length === 0) return <Nothing title="Nothing was put before the model">Either nothing was relevant, or the client has no hook for it.</Nothing>;
  const tokens = given.items.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <Card title="Put before the model" aside={`${many(given.total, 'time')}, ${many(tokens, 'token')}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">At</th>
            <th scope="col">What</th>
            <th scope="col" className="number">
              Left out
            </th>
            <th scope="col" className="number">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {given.items.map((one) => (
            <tr key={one.event_id}>
              <td>
                <When at={one.at} />
              </td>
              <td>{spoken(one.moment)}</td>
              <td>
                <dl className="facts">
                  {[...byReason(one.given ?? [])].map(([why, pieces]) => (
                    <Reason why={why} pieces={pieces} key={why} />
                  ))}
                </dl>
              </td>
              <td className="number">{count((one.left_out?.told_before ?? 0) + (one.left_out?.no_room ?? 0))}</td>
              <td className="number">{count(one.tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {given.hasMore ? (
        <button type="button" className="button" onClick={given.more}>
          Show more
        </button>
      ) : null}
    </Card>
  );
}

function byReason(pieces: Piece[]): Map<string, Piece[]> {
  const reasons = new Map<string, Piece[]>();
  for (const piece of pieces) reasons.set(piece.why, [...(reasons.get(piece.why) ?? []), piece]);
  return reasons;
}

function Reason({ why, pieces }: { why: string; pieces: Piece[] }) {
  return (
    <>
      <dt>{spoken(why)}</dt>
      <dd className="mono">{pieces.map(({ what }) => what).join(', ')}</dd>
    </>
  );
}
