// One session: what happened, told again, what it was told and what that cost.

import { Link } from 'wouter';
import { useAnswer } from '../../api/questions';
import type { SessionStatus } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Figures } from '../../parts/figures';
import { Answered } from '../../parts/note';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { When } from '../../parts/when';
import { brief, lasted, many } from '../../parts/words';
import { Events } from './events';
import { Injected } from './injected';
import { Scratchpad } from './scratchpad';
import { Told } from './told';

export default function SessionPage({ id }: { id: string }) {
  const path = `sessions/${encodeURIComponent(id)}`;
  const status = useAnswer<SessionStatus>(`${path}/status`);
  const title = status.data?.client_session ?? id;
  return (
    <Page title={title} before={<Crumbs />} about={status.data === undefined ? undefined : <About of={status.data} />} tall>
      <Answered of={status}>
        {(answer) => (
          <>
            <Summary of={answer} />
            <Tabs
              name="Views of the session"
              tabs={[
                { id: 'events', name: 'Timeline', content: <Events session={answer.id} kinds={Object.keys(answer.events_by_kind)} /> },
                { id: 'told', name: 'Reconstruction', content: <Told path={path} /> },
                { id: 'injected', name: 'What it was told', content: <Injected path={path} /> },
                { id: 'scratchpad', name: 'Scratchpad', content: <Scratchpad of={answer} /> },
              ]}
            />
          </>
        )}
      </Answered>
    </Page>
  );
}

function Crumbs() {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="crumbs">
        <li>
          <Link href="/sessions">Sessions</Link>
        </li>
      </ol>
    </nav>
  );
}

function About({ of }: { of: SessionStatus }) {
  return (
    <span className="row-wrap">
      <Badge word={of.state} tone={of.state === 'open' ? 'accent' : 'plain'} />
      <span>
        {of.client} as {of.chatmode}, begun <When at={of.started_at} />
        {of.git_branch === undefined ? '' : `, on ${of.git_branch}`}
      </span>
    </span>
  );
}

function Summary({ of }: { of: SessionStatus }) {
  return (
    <Figures
      figures={[
        { name: 'Events', value: brief(of.events), beside: lasted(of.duration_seconds) },
        { name: 'Tokens recorded', value: brief(of.tokens) },
        { name: 'Tokens given', value: brief(of.injections.tokens), beside: many(of.injections.count, 'time') },
        { name: 'Memories given', value: brief(of.injections.memories), beside: `${of.memories_recalled} asked for` },
      ]}
    />
  );
}
