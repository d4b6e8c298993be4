// Every run of every agent, newest first.

import { Link } from 'wouter';
import { usePages } from '../../api/questions';
import type { Session } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Nothing } from '../../parts/note';
import { Page } from '../../parts/page';
import { PagedList } from '../../parts/virtual-list';
import { When } from '../../parts/when';
import { lasted, many } from '../../parts/words';

const ROW_PX = 60;

export default function Sessions() {
  const sessions = usePages<Session>('sessions');
  return (
    <Page title="Sessions" about="Each run of an agent in a role: what it did, what it was told, where it stopped." tall>
      <div className="card list-card">
        <PagedList name="Sessions" pages={sessions} rowHeight={ROW_PX} idOf={(session) => session.id} nothing={<None />}>
          {(session) => <Row session={session} />}
        </PagedList>
      </div>
    </Page>
  );
}

function None() {
  return (
    <Nothing title="No session yet">
      Connect an agent with <code>throughline install claude-code</code>, or bring what it did before with <code>throughline import claude-code</code>.
    </Nothing>
  );
}

function Row({ session }: { session: Session }) {
  const seconds = (Date.parse(session.last_event_at) - Date.parse(session.started_at)) / 1000;
  return (
    <Link className="list-link" href={`/sessions/${encodeURIComponent(session.id)}`}>
      <span className="row">
        <Badge word={session.ended_at === undefined ? 'open' : 'ended'} tone={session.ended_at === undefined ? 'accent' : 'plain'} />
        <span className="title clip">{session.client_session}</span>
      </span>
      <span className="meta">
        <span>{session.client}</span>
        <span>{session.chatmode}</span>
        {session.git_branch === undefined ? null : <span className="mono">{session.git_branch}</span>}
        <span>{many(session.events, 'event')}</span>
        <span>{lasted(seconds)}</span>
        <When at={session.last_event_at} />
      </span>
    </Link>
  );
}
