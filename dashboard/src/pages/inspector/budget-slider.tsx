// How many tokens an answer may have. The steps grow, as what they are worth does.

import { Slider } from 'radix-ui';
import { useId } from 'react';
import { count } from '../../parts/words';

export const BUDGETS = [500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000, 16_000, 24_000, 32_000];

export function BudgetSlider({ tokens, change }: { tokens: number; change: (tokens: number) => void }) {
  const id = useId();
  const place = BUDGETS.findLastIndex((budget) => budget <= tokens);
  return (
    <div className="field budget">
      <span id={id}>
        Budget <strong>{count(tokens)} tokens</strong>
      </span>
      <Slider.Root className="slider" min={0} max={BUDGETS.length - 1} step={1} value={[Math.max(0, place)]} onValueChange={([at]) => change(BUDGETS[at ?? 0] ?? 4000)}>
        <Slider.Track className="slider-track">
          <Slider.Range className="slider-range" />
        </Slider.Track>
        <Slider.Thumb className="slider-thumb" aria-labelledby={id} aria-valuetext={`${count(tokens)} tokens`} />
      </Slider.Root>
    </div>
  );
}
