// What the project's agents did and know, and what it cost and saved.

import { Link } from 'wouter';
import { useAnswer } from '../../api/questions';
import type { Event, Overview as Answer, Page as Listed } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { DayBars } from '../../parts/day-bars';
import { Figures } from '../../parts/figures';
import { Answered, Nothing } from '../../parts/note';
import { Page } from '../../parts/page';
import { When } from '../../parts/when';
import { brief, count, many } from '../../parts/words';
import { Health } from './health';

export function Overview() {
  const overview = useAnswer<Answer>('overview');
  return (
    <Page title="Overview" about="What the agents of this project did and know, and what that cost and saved.">
      <Answered of={overview} rows={12}>
        {(answer) => (answer.counts.events === 0 ? <Beginning /> : <Told of={answer} />)}
      </Answered>
    </Page>
  );
}

function Beginning() {
  return (
    <Nothing title="Nothing has been recorded in this project">
      Connect an agent with <code>throughline install claude-code</code> and work as usual. What it does appears here by itself.
    </Nothing>
  );
}

function Told({ of }: { of: Answer }) {
  const { counts, days } = of;
  const open = ['open', 'in_progress', 'blocked'].reduce((sum, status) => sum + (counts.items_by_status[status] ?? 0), 0);
  const sum = (part: 'tokens_injected' | 'tokens_saved') => brief(days.reduce((total, day) => total + day[part], 0));
  return (
    <>
      <Figures
        figures={[
          { name: 'Events', value: brief(counts.events), beside: `in ${many(counts.sessions, 'session')}` },
          { name: 'Memories', value: brief(counts.memories), beside: `${count(counts.memories_by_kind['decision'] ?? 0)} of them decisions` },
          { name: 'Open work', value: brief(open), beside: `of ${many(counts.items, 'item')}` },
          { name: 'Tokens given', value: sum('tokens_injected'), beside: 'to models in 30 days' },
          { name: 'Tokens saved', value: sum('tokens_saved'), beside: 'by summaries in 30 days' },
        ]}
      />
      <div className="grid">
        <Card title="Activity" className="half">
          <DayBars
            name="Events and sessions per day"
            days={days.map((day) => ({ day: day.day, values: [day.events, day.sessions] }))}
            series={[
              { name: 'Events', fill: 'accent' },
              { name: 'Sessions', fill: 'violet', isTold: true },
            ]}
          />
        </Card>
        <Card title="Tokens" className="half">
          <DayBars
            name="Tokens given and saved per day"
            days={days.map((day) => ({ day: day.day, values: [day.tokens_injected, day.tokens_saved] }))}
            series={[
              { name: 'Given', fill: 'hot' },
              { name: 'Saved', fill: 'accent' },
            ]}
          />
        </Card>
        <div className="most stack">
          <Latest />
        </div>
        <div className="third stack">
          <Review waiting={of.review_queue} />
          <Unfinished of={of} />
          <Agents of={of} />
          <Health of={of} />
        </div>
      </div>
    </>
  );
}

const LATEST_ROWS = 14;
/** What people and agents did; what the product notes of itself is seldom news. */
const NEWS = 'user_message,model_message,tool_call,read,write,search,decision,validation_gate,item_created,item_updated,item_deleted,resource_written,task_completed,handoff';
const OURSELVES = 'agent:throughline';

function Latest() {
  const events = useAnswer<Listed<Event>>('events', { kind: NEWS, limit: LATEST_ROWS });
  return (
    <Card title="Just happened">
      {events.data?.items.length === 0 ? <p className="faint">Nobody has done anything yet.</p> : null}
      <ol className="plain-list">
        {events.data?.items.map((event) => (
          <li key={event.id}>
            <div className="spread">
              <Link className="title clip" href={`/sessions/${encodeURIComponent(event.session_id)}`}>
                {event.summary || event.target || event.kind}
              </Link>
              <Badge word={event.kind} />
            </div>
            <div className="meta">
              <span>{event.actor}</span>
              <When at={event.at} />
              {event.tokens > 0 ? <span>{many(event.tokens, 'token')}</span> : null}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Review({ waiting }: { waiting: number }) {
  if (waiting === 0) return null;
  return (
    <div className="banner">
      <span>
        {many(waiting, 'memory', 'memories')} {waiting === 1 ? 'waits' : 'wait'} for a yes or no
      </span>
      <Link className="button" href="/memories?view=review">
        Review
      </Link>
    </div>
  );
}

function Unfinished({ of }: { of: Answer }) {
  if (of.unfinished.length === 0) return null;
  return (
    <Card title="Begun and not finished" aside={count(of.unfinished.length)}>
      <ul className="plain-list">
        {of.unfinished.slice(0, 6).map((one) => (
          <li key={`${one.why} ${one.text}`}>
            <p className="cut-two">{one.text}</p>
            <div className="meta">
              <Badge word={one.why} tone="warm" />
              <When at={one.since} />
              <Link href={`/sessions/${encodeURIComponent(one.session_id)}`}>its session</Link>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Agents({ of }: { of: Answer }) {
  const here = of.agents.filter(({ actor }) => actor !== OURSELVES);
  return (
    <Card title="Who was here" aside={count(here.length)}>
      <ul className="plain-list">
        {here.slice(0, 8).map((agent) => (
          <li key={agent.actor}>
            <p className="title clip">{agent.actor}</p>
            <div className="meta">
              <span>{many(agent.events, 'event')}</span>
              <When at={agent.last_at} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
