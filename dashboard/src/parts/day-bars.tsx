// Figures per day as bars, one beside the other; the same as a table for those who do not see them.

import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { useState } from 'react';
import { Legend, type Series } from './legend';
import { useWidth } from './width';
import { brief, count, dayName } from './words';

export interface Day {
  day: string;
  values: number[];
}

const HEIGHT = 168;
const LEFT = 38;
const BOTTOM = 22;
const LABEL_EVERY_PX = 90;

export function DayBars({ name, days, series }: { name: string; days: Day[]; series: Series[] }) {
  const [place, width] = useWidth();
  const [looked, setLooked] = useState<Day | null>(null);
  const totals = series.map((_, index) => days.reduce((sum, day) => sum + (day.values[index] ?? 0), 0));
  const told = looked?.values ?? totals;
  return (
    <div className="stack">
      <div className="spread">
        <Legend series={series} values={told.map(count)} />
        <span className="faint small">{looked === null ? `${days.length} days` : dayName(looked.day)}</span>
      </div>
      <div ref={place} style={{ height: HEIGHT }}>
        {width > 0 ? <Drawing name={name} days={days} series={series} width={width} look={setLooked} /> : null}
      </div>
      <Table name={name} days={days} series={series} />
    </div>
  );
}

interface DrawingProps {
  name: string;
  days: Day[];
  series: Series[];
  width: number;
  look: (day: Day | null) => void;
}

function Drawing({ name, days, series, width, look }: DrawingProps) {
  const bottom = HEIGHT - BOTTOM;
  const drawn = series.flatMap((one, index) => (one.isTold ? [] : [{ ...one, index }]));
  const most = Math.max(1, ...days.flatMap((day) => drawn.map(({ index }) => day.values[index] ?? 0)));
  const x = scaleBand({ domain: days.map((day) => day.day), range: [LEFT, width], padding: 0.28 });
  const y = scaleLinear({ domain: [0, most], range: [bottom, 6], nice: true });
  const labels = Math.max(2, Math.floor((width - LEFT) / LABEL_EVERY_PX));
  const every = Math.ceil(days.length / labels);
  const shown = days.filter((_, index) => index % every === 0).map((day) => day.day);
  const thick = x.bandwidth() / drawn.length;
  return (
    <svg className="chart" height={HEIGHT} width={width} role="img" aria-label={name} onMouseLeave={() => look(null)}>
      {y.ticks(3).map((tick) => (
        <line key={tick} className="grid-line" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
      ))}
      <AxisLeft scale={y} left={LEFT} numTicks={3} hideAxisLine hideTicks tickFormat={(tick) => brief(Number(tick))} tickLabelProps={{ dx: -2 }} />
      <AxisBottom scale={x} top={bottom} tickValues={shown} hideAxisLine hideTicks tickFormat={dayName} />
      {days.map((day) => (
        <g className="day" key={day.day} onMouseEnter={() => look(day)}>
          <rect className="ground" x={(x(day.day) ?? 0) - x.step() * 0.14} y={0} width={x.step()} height={bottom} />
          {drawn.map(({ fill, index }, place) => {
            const value = day.values[index] ?? 0;
            const top = value === 0 ? bottom : Math.min(y(value), bottom - 2);
            return (
              <Bar key={fill} className={`fill-${fill}`} x={(x(day.day) ?? 0) + place * thick} y={top} width={Math.max(1, thick - 1)} height={bottom - top} rx={1.5} />
            );
          })}
        </g>
      ))}
    </svg>
  );
}

function Table({ name, days, series }: { name: string; days: Day[]; series: Series[] }) {
  return (
    <table className="visually-hidden">
      <caption>{name}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map((one) => (
            <th scope="col" key={one.name}>
              {one.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">{dayName(day.day)}</th>
            {day.values.map((value, index) => (
              <td key={index}>{count(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
