// A moment: how long ago, with the exact time at hand.

import { ago, exactTime } from './words';

export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {ago(at)}
    </time>
  );
}
