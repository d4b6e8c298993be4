// What a search finds, and how each score comes about.

import { useAnswer } from '../../api/questions';
import type { Found, Hit } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { SearchField } from '../../parts/field';
import { Meter } from '../../parts/meter';
import { Answered, Nothing } from '../../parts/note';
import { useSearchParam } from '../../parts/search-param';
import { useTyped } from '../../parts/typed';
import { count, many } from '../../parts/words';
import { ScoreBars } from './score-bars';

export function Searching() {
  const [query, setQuery] = useSearchParam('query');
  const typed = useTyped(query.trim());
  const found = useAnswer<Found>('search', { query: typed, limit: 20, explain: true }, { enabled: typed !== '', keep: true });
  return (
    <>
      <div className="card card-body filters">
        <SearchField name="What an agent searches for" value={query} change={setQuery} hint="cart paging" main />
      </div>
      {typed === '' ? (
        <Nothing title="Search for something">Each hit shows the parts of its score.</Nothing>
      ) : (
        <Answered of={found}>{(answer) => <Hits of={answer} />}</Answered>
      )}
    </>
  );
}

function Hits({ of }: { of: Found }) {
  if (of.hits.length === 0) return <Nothing title="Nothing is relevant enough">That is an answer too: an agent is not given what does not fit.</Nothing>;
  return (
    <div className="grid">
      <Card title="Found" className="most" aside={`${count(of.shown)} of ${of.total_is_at_least ? 'at least ' : ''}${count(of.total)}`}>
        <ul className="plain-list">
          {of.hits.map((hit) => (
            <OneHit hit={hit} key={hit.id} />
          ))}
        </ul>
      </Card>
      <Card title="How it was searched" className="third">
        <div className="stack">
          {of.explanation?.map((searched) => (
            <div key={searched.collection}>
              <h3>{searched.collection}</h3>
              <p className="faint">
                {many(searched.candidates, 'candidate')} of {many(searched.documents, 'document')}
                {searched.unindexed > 0 ? `, ${count(searched.unindexed)} not indexed yet` : ''}
              </p>
              <div className="row-wrap">
                {searched.terms.map((term) => (
                  <Badge word={term.word} tone="cold" key={term.word}>
                    {term.word} {term.weight.toFixed(1)}
                  </Badge>
                ))}
              </div>
            </div>
          ))}
        </div>
      </Card>
    </div>
  );
}

function OneHit({ hit }: { hit: Hit }) {
  return (
    <li className="stack hit">
      <div>
        <div className="spread">
          <span className="title clip">{hit.title}</span>
          <Meter share={hit.score} name="Score" />
        </div>
        <p className="soft cut-two">{hit.snippet}</p>
        <div className="meta">
          <Badge word={hit.kind} />
          <span className="mono">{hit.id}</span>
          <span>{hit.source}</span>
          <span>{hit.age} old</span>
        </div>
      </div>
      {hit.parts === undefined ? null : <ScoreBars parts={hit.parts} />}
    </li>
  );
}
