// The working set of one agent.

import { useMemo, useState } from 'react';
import { useAnswer } from '../../api/questions';
import type { Entry, SetStats } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Choice, SearchField } from '../../parts/field';
import { Answered, Nothing } from '../../parts/note';
import { VirtualList } from '../../parts/virtual-list';
import { When } from '../../parts/when';
import { count, many } from '../../parts/words';
import { EntryDetail } from './entry-detail';
import { Importance } from './importance';
import { TierChart } from './tier-chart';

const TIERS = ['HOT', 'WARM', 'COLD'] as const;
const ROW_PX = 58;

export function Held({ agent }: { agent: string }) {
  const path = `agents/${encodeURIComponent(agent)}/context`;
  const stats = useAnswer<SetStats>(`${path}/stats`);
  const held = useAnswer<{ items: Entry[] }>(path);
  return (
    <>
      <div className="grid grid-stretch">
        <Card title="Tokens by tier" className="half" aside={stats.data === undefined ? undefined : `${count(stats.data.total_tokens)} of ${count(stats.data.token_limit)}`}>
          <Answered of={stats} rows={3}>{(answer) => <TierChart stats={answer} />}</Answered>
        </Card>
        <Card title="By importance" className="half" aside={held.data === undefined ? undefined : many(held.data.items.length, 'entry', 'entries')}>
          <Answered of={held} rows={3}>{(answer) => <Importance entries={answer.items} />}</Answered>
        </Card>
      </div>
      <Answered of={held}>{(answer) => <Entries entries={answer.items} />}</Answered>
    </>
  );
}

function Entries({ entries }: { entries: Entry[] }) {
  const [text, setText] = useState('');
  const [tier, setTier] = useState('');
  const [type, setType] = useState('');
  const [chosen, setChosen] = useState<string>();
  const types = useMemo(() => [...new Set(entries.map((entry) => entry.type))].toSorted(), [entries]);
  const shown = useMemo(() => {
    const wanted = text.toLowerCase();
    const fits = (entry: Entry) =>
      (tier === '' || entry.tier === tier) && (type === '' || entry.type === type) && entry.content.toLowerCase().includes(wanted);
    return entries.filter(fits).toSorted((a, b) => b.score - a.score);
  }, [entries, text, tier, type]);
  const open = shown.find((entry) => entry.id === chosen);
  return (
    <>
      <div className="filters">
        <SearchField name="Find in what is held" value={text} change={setText} hint="Words of an entry" main />
        <Choice name="Tier" value={tier} options={TIERS} all="All tiers" change={setTier} />
        <Choice name="Type" value={type} options={types} all="All types" change={setType} />
      </div>
      <div className={open === undefined ? 'fill' : 'split'}>
        <div className="card list-card">
          {shown.length === 0 ? (
            <Nothing title="No entry fits">Take away a filter to see more.</Nothing>
          ) : (
            <VirtualList name="Entries" rows={shown} rowHeight={ROW_PX} idOf={(entry) => entry.id} chosen={chosen}>
              {(entry) => <Row entry={entry} open={() => setChosen(entry.id === chosen ? undefined : entry.id)} isOpen={entry.id === chosen} />}
            </VirtualList>
          )}
          <div className="list-foot">
            {count(shown.length)} of {many(entries.length, 'entry', 'entries')}
          </div>
        </div>
        {open === undefined ? null : <EntryDetail entry={open} />}
      </div>
    </>
  );
}

function Row({ entry, open, isOpen }: { entry: Entry; open: () => void; isOpen: boolean }) {
  return (
    <button type="button" className="list-link" onClick={open} aria-expanded={isOpen}>
      <span className="row">
        <Badge word={entry.tier}>{entry.tier}</Badge>
        <span className="clip">{entry.content}</span>
      </span>
      <span className="meta">
        <span>{entry.type}</span>
        <span>importance {entry.score.toFixed(2)}</span>
        <span>{many(entry.tokens, 'token')}</span>
        <span>used {many(entry.access_count, 'time')}</span>
        <When at={entry.last_accessed_at} />
      </span>
    </button>
  );
}
