// What each agent holds while it works: how it is shared out over the tiers, and every entry.

import { ToggleGroup } from 'radix-ui';
import { useAnswer } from '../../api/questions';
import type { Holder, Page as Listed } from '../../api/shapes';
import { Answered, Nothing } from '../../parts/note';
import { Page } from '../../parts/page';
import { useSearchParam } from '../../parts/search-param';
import { brief, many } from '../../parts/words';
import { Held } from './held';

export default function WorkingSet() {
  const agents = useAnswer<Listed<Holder>>('agents', { limit: 500 });
  return (
    <Page title="Working set" about="What each agent holds: HOT is before the model, WARM is at hand when asked for, COLD is next to be put aside." tall>
      <Answered of={agents}>{(answer) => <Agents agents={answer.items} />}</Answered>
    </Page>
  );
}

function Agents({ agents }: { agents: Holder[] }) {
  const [wanted, choose] = useSearchParam('agent');
  const chosen = agents.find(({ agent }) => agent === wanted) ?? agents[0];
  if (chosen === undefined) {
    return (
      <Nothing title="No agent holds anything yet">
        Agents keep what matters with the tool <code>context_save</code>; from a terminal it is <code>throughline set save</code>.
      </Nothing>
    );
  }
  return (
    <>
      <ToggleGroup.Root className="agents" type="single" value={chosen.agent} onValueChange={(name) => choose(name || chosen.agent)} aria-label="Agent">
        {agents.map((holder) => (
          <ToggleGroup.Item className="agent" value={holder.agent} key={holder.agent}>
            <span className="title">{holder.agent}</span>
            <span className="faint">
              {many(holder.total_items, 'entry', 'entries')}, {brief(holder.total_tokens)} tokens
            </span>
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      <Held agent={chosen.agent} key={chosen.agent} />
    </>
  );
}
