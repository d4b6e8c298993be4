// A share between 0 and 1, as a bar and as a number.

import { percent } from './words';

const WIDTH = 64;

export function Meter({ share, name, width = WIDTH, fill = 'accent' }: { share: number; name: string; width?: number; fill?: string }) {
  const inside = Math.min(1, Math.max(0, share));
  return (
    <span className="meter">
      <svg width={width} height={6} aria-hidden="true">
        <rect className="meter-ground" width={width} height={6} />
        <rect className={`fill-${fill}`} width={inside * width} height={6} rx={3} />
      </svg>
      <span>
        <span className="visually-hidden">{name}: </span>
        {percent(share)}
      </span>
    </span>
  );
}
