// What a session noted for itself.

import type { SessionStatus } from '../../api/shapes';
import { Card } from '../../parts/card';
import { Nothing } from '../../parts/note';
import { count } from '../../parts/words';

export function Scratchpad({ of }: { of: SessionStatus }) {
  if (JSON.stringify(of.scratchpad) === '{}') return <Nothing title="The scratchpad is empty">A session notes here what it needs again, with the tool <code>session_state</code>.</Nothing>;
  return (
    <Card title="Scratchpad" aside={`version ${count(of.scratchpad_version)}`}>
      <pre className="code" tabIndex={0} role="region" aria-label="Scratchpad">
        {JSON.stringify(of.scratchpad, null, 2)}
      </pre>
    </Card>
  );
}
