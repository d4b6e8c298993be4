// How important what is held is: one column for each twentieth, in the colours of the tiers.

import { AxisBottom } from '@visx/axis';
import { scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { scaleOrdinal } from '@visx/scale';
import { useMemo } from 'react';
import type { Entry, Tier } from '../../api/shapes';
import { useWidth } from '../../parts/width';

const TIERS: Tier[] = ['COLD', 'WARM', 'HOT'];
const BINS = 20;
const HEIGHT = 96;
const BOTTOM = 20;

type Bin = Record<Tier, number> & { from: number };

export function Importance({ entries }: { entries: Entry[] }) {
  const [place, width] = useWidth();
  const bins = useMemo(() => counted(entries), [entries]);
  return (
    <div ref={place} style={{ height: HEIGHT }}>
      {width > 0 ? <Drawing bins={bins} width={width} /> : null}
    </div>
  );
}

export function counted(entries: Entry[]): Bin[] {
  const bins = Array.from({ length: BINS }, (_, place): Bin => ({ from: place / BINS, HOT: 0, WARM: 0, COLD: 0 }));
  for (const entry of entries) {
    const bin = bins[Math.min(BINS - 1, Math.max(0, Math.floor(entry.score * BINS)))];
    if (bin !== undefined) bin[entry.tier] += 1;
  }
  return bins;
}

function Drawing({ bins, width }: { bins: Bin[]; width: number }) {
  const bottom = HEIGHT - BOTTOM;
  const most = Math.max(1, ...bins.map((bin) => bin.HOT + bin.WARM + bin.COLD));
  const x = scaleLinear({ domain: [0, 1], range: [6, width - 6] });
  const y = scaleLinear({ domain: [0, most], range: [bottom, 2] });
  const fills = scaleOrdinal({ domain: TIERS, range: ['fill-cold', 'fill-warm', 'fill-hot'] });
  const step = (width - 12) / BINS;
  const sums = TIERS.toReversed().map((tier) => `${bins.reduce((sum, bin) => sum + bin[tier], 0)} ${tier}`);
  return (
    <svg className="chart" width={width} height={HEIGHT} role="img" aria-label={`Entries by importance from 0 to 1: ${sums.join(', ')}`}>
      <BarStack data={bins} keys={TIERS} x={(bin) => bin.from} xScale={Object.assign((from: number) => x(from), x, { bandwidth: () => step })} yScale={y} color={fills}>
        {(stacks) =>
          stacks.flatMap((stack) =>
            stack.bars.map((bar) => (
              <rect key={`${stack.key} ${bar.index}`} className={bar.color} x={bar.x + 1} y={bar.y} width={Math.max(1, step - 2)} height={Math.max(0, bar.height)} rx={1.5} />
            )),
          )
        }
      </BarStack>
      <AxisBottom scale={x} top={bottom} numTicks={5} hideAxisLine hideTicks />
    </svg>
  );
}
