// What a model would be given beside a prompt.

import { useAnswer } from '../../api/questions';
import type { TurnAnswer } from '../../api/shapes';
import { Card } from '../../parts/card';
import { SearchField } from '../../parts/field';
import { Answered, Nothing } from '../../parts/note';
import { useSearchParam } from '../../parts/search-param';
import { useTyped } from '../../parts/typed';
import { count, many, spoken } from '../../parts/words';

export function AtAPrompt() {
  const [prompt, setPrompt] = useSearchParam('prompt');
  const typed = useTyped(prompt.trim());
  const answer = useAnswer<TurnAnswer>('turn', { prompt: typed }, { enabled: typed !== '', keep: true });
  return (
    <>
      <div className="card card-body filters">
        <SearchField name="What the person types" value={prompt} change={setPrompt} hint="Why does the cart stop at 100 lines?" main />
      </div>
      {typed === '' ? (
        <Nothing title="Type a prompt">It is not recorded, and no model is asked.</Nothing>
      ) : (
        <Answered of={answer}>{(told) => <Told of={told} />}</Answered>
      )}
    </>
  );
}

function Told({ of }: { of: TurnAnswer }) {
  const left = of.left_out.told_before + of.left_out.no_room;
  if (of.text === null) return <Nothing title="Nothing would be said">Nothing known is relevant enough to this prompt, so it costs nothing.</Nothing>;
  return (
    <div className="grid">
      <Card title="Put before the model" className="most" aside={many(of.tokens, 'token')}>
        <pre className="code" tabIndex={0} role="region" aria-label="What the model reads">
          {of.text}
        </pre>
      </Card>
      <Card title="Why" className="third" aside={left === 0 ? undefined : `${count(left)} left out`}>
        <ul className="plain-list">
          {of.given.map((piece) => (
            <li className="spread" key={piece.what}>
              <span className="mono clip">{piece.what}</span>
              <span className="faint">
                {spoken(piece.why)}
                {piece.score === undefined ? '' : ` ${piece.score.toFixed(2)}`}
              </span>
            </li>
          ))}
        </ul>
        {of.left_out.told_before > 0 ? <p className="faint">{many(of.left_out.told_before, 'piece')} it had been told before</p> : null}
        {of.left_out.no_room > 0 ? <p className="faint">{many(of.left_out.no_room, 'piece')} for which there was no room</p> : null}
      </Card>
    </div>
  );
}
