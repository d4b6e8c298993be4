// How the tokens that an agent holds are shared out over the tiers, against how many it may hold.

import type { SetStats } from '../../api/shapes';
import { Legend } from '../../parts/legend';
import { Meter } from '../../parts/meter';
import { ShareBar } from '../../parts/share-bar';
import { count, many } from '../../parts/words';

export function TierChart({ stats }: { stats: SetStats }) {
  const tiers = [
    { name: 'HOT', fill: 'hot', value: stats.tokens.hot, entries: stats.hot_count },
    { name: 'WARM', fill: 'warm', value: stats.tokens.warm, entries: stats.warm_count },
    { name: 'COLD', fill: 'cold', value: stats.tokens.cold, entries: stats.cold_count },
  ];
  return (
    <div className="stack">
      <ShareBar name="Tokens by tier" shares={tiers} />
      <Legend series={tiers} values={tiers.map((tier) => `${count(tier.value)} tokens, ${many(tier.entries, 'entry', 'entries')}`)} />
      <p className="faint small row-wrap">
        <Meter share={stats.total_tokens / Math.max(1, stats.token_limit)} name="Of the limit" /> of the limit
        {stats.archived_count > 0 ? `, ${many(stats.archived_count, 'entry', 'entries')} put aside` : ''}
        {stats.flash_due ? '. A flash save is due: everything but HOT is about to be put aside.' : '.'}
      </p>
    </div>
  );
}
