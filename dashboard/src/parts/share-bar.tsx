// One bar that shows how a whole is shared out.

import { useWidth } from './width';

export interface Share {
  name: string;
  value: number;
  fill: string;
}

const HEIGHT = 14;

export function ShareBar({ name, shares, whole }: { name: string; shares: Share[]; whole?: number }) {
  const [place, width] = useWidth();
  const sum = shares.reduce((total, share) => total + share.value, 0);
  const of = Math.max(1, whole ?? 0, sum);
  const said = shares.map((share) => `${share.name} ${share.value}`).join(', ');
  let from = 0;
  return (
    <div className="stacked" ref={place}>
      <svg role="img" aria-label={`${name}: ${said} of ${of}`}>
        {shares.map((share) => {
          const left = from;
          from += (share.value / of) * width;
          return (
            <rect key={share.name} className={`fill-${share.fill}`} x={left} width={Math.max(0, from - left - 1)} height={HEIGHT}>
              <title>{`${share.name}: ${share.value}`}</title>
            </rect>
          );
        })}
      </svg>
    </div>
  );
}
