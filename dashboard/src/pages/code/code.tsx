// How findable everything is: what is indexed, what is not yet, and by which model.

import { useState } from 'react';
import { useAnswer } from '../../api/questions';
import type { IndexStatus, Job, Page as Listed } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { SearchField } from '../../parts/field';
import { Figures } from '../../parts/figures';
import { Meter } from '../../parts/meter';
import { Answered, Nothing } from '../../parts/note';
import { Page } from '../../parts/page';
import { useTyped } from '../../parts/typed';
import { When } from '../../parts/when';
import { brief, count } from '../../parts/words';
import { CodeFound } from './code-found';
import { FileHealth } from './file-health';

const MEGABYTE = 1024 * 1024;

export default function Code() {
  const [query, setQuery] = useState('');
  const typed = useTyped(query);
  const status = useAnswer<IndexStatus>('code/status');
  return (
    <Page title="Code index" about="Whether what was written and recorded can be found, and how fresh that is.">
      <Answered of={status}>{(answer) => <Standing of={answer} />}</Answered>
      <div className="filters">
        <SearchField name="Try the index" value={query} change={setQuery} hint="A name, or what something is about" main />
      </div>
      {typed === '' ? null : <CodeFound query={typed} />}
      <Jobs />
    </Page>
  );
}

function Standing({ of }: { of: IndexStatus }) {
  const sum = (part: (one: IndexStatus['collections'][number]) => number) => of.collections.reduce((total, one) => total + part(one), 0);
  const behind = sum((one) => one.unindexed);
  return (
    <>
      <Figures
        figures={[
          { name: 'Documents', value: brief(sum((one) => one.documents)) },
          { name: 'Not indexed yet', value: brief(behind), beside: behind === 0 ? 'up to date' : 'follows in the background' },
          { name: 'Size', value: `${(sum((one) => one.bytes) / MEGABYTE).toFixed(1)} MB` },
          { name: 'Model', value: <span className="figure-text">{of.model ?? 'none'}</span>, beside: of.model_problem ?? `vectors compared by ${of.vectors}` },
        ]}
      />
      {of.code === undefined ? null : <FileHealth of={of.code} />}
      <Card title="What is indexed">
        <table>
          <thead>
            <tr>
              <th scope="col">Collection</th>
              <th scope="col" className="number">
                Documents
              </th>
              <th scope="col" className="number">
                Waiting
              </th>
              <th scope="col" className="number">
                Partitions
              </th>
              <th scope="col">With a vector</th>
            </tr>
          </thead>
          <tbody>
            {of.collections.map((one) => (
              <tr key={one.collection}>
                <td className="title">{one.collection}</td>
                <td className="number">{count(one.documents)}</td>
                <td className="number">{count(one.unindexed)}</td>
                <td className="number">{count(one.partitions)}</td>
                <td>{one.embedded === undefined ? <span className="faint">no model</span> : <Meter share={one.embedded[0] / Math.max(1, one.embedded[1])} name="With a vector" />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </>
  );
}

function Jobs() {
  const jobs = useAnswer<Listed<Job>>('jobs', { limit: 50 });
  return (
    <Card title="Background jobs" aside={jobs.data === undefined ? undefined : count(jobs.data.total)}>
      <Answered of={jobs} rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing title="Nothing is left to do" />
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">Job</th>
                  <th scope="col">State</th>
                  <th scope="col">Due</th>
                  <th scope="col" className="number">
                    Attempts
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((job) => (
                  <tr key={`${job.kind} ${job.key}`}>
                    <td>
                      <span className="title">{job.kind}</span> <span className="faint mono">{job.key}</span>
                      {job.error === undefined ? null : <p className="faint">{job.error}</p>}
                    </td>
                    <td>
                      <Badge word={job.state} />
                    </td>
                    <td>
                      <When at={job.run_at} />
                    </td>
                    <td className="number">{count(job.attempts)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answered>
    </Card>
  );
}
