// How the index of the project's files stands: how fresh it is, and whether searches find something in it.

import type { CodeHealth } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Meter } from '../../parts/meter';
import { When } from '../../parts/when';
import { count, lasted, many } from '../../parts/words';

export function FileHealth({ of }: { of: CodeHealth }) {
  return (
    <Card title="The project's files" aside={of.job === undefined ? undefined : <Badge word={of.job.state} />}>
      <dl className="facts">
        <dt>Indexed</dt>
        <dd>
          {many(of.files, 'file')} in {many(of.chunks, 'piece')}
          {of.left_out > 0 ? `, ${count(of.left_out)} left out as no source` : ''}
          {of.unreadable > 0 ? `, ${count(of.unreadable)} unreadable` : ''}
        </dd>
        <dt>Last run</dt>
        <dd>
          {of.finished_at === undefined ? (
            'not finished yet'
          ) : (
            <>
              <When at={of.finished_at} />, took {lasted(of.duration_ms / 1000)}
            </>
          )}
          {of.waiting > 0 ? `, ${many(of.waiting, 'changed file')} to be taken in` : ''}
        </dd>
        <dt>Changed since</dt>
        <dd>
          <Meter share={of.stale_ratio} name="Files that changed since" fill="warm" />
        </dd>
        <dt>Searches</dt>
        <dd className="row-wrap">
          {count(of.searches)}, found something <Meter share={of.hit_rate} name="Found something" fill="good" /> without an index{' '}
          <Meter share={of.fallback_rate} name="Without an index" fill="warm" /> in changed files <Meter share={of.stale_results} name="In changed files" fill="warm" />
        </dd>
        {of.job?.error === undefined ? null : (
          <>
            <dt>Trouble</dt>
            <dd>{of.job.error}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}
