// What the colours of a chart stand for.

export interface Series {
  name: string;
  fill: string;
  /** It is only told, where its size would be lost beside the others. */
  isTold?: boolean;
}

export function Legend({ series, values }: { series: Series[]; values?: string[] }) {
  return (
    <ul className="legend">
      {series.map(({ name, fill, isTold }, place) => (
        <li key={name}>
          {isTold ? null : <i className={`fill-${fill}`} />}
          {name}
          {values?.[place] === undefined ? null : <span className="faint">{values[place]}</span>}
        </li>
      ))}
    </ul>
  );
}
