// The context of an item: every candidate, what it costs and what became of it.

import { useAnswer } from '../../api/questions';
import type { ExplainedContext } from '../../api/shapes';
import { Check, Choice, SearchField } from '../../parts/field';
import { Answered, Nothing } from '../../parts/note';
import { useSearchParam } from '../../parts/search-param';
import { useTyped } from '../../parts/typed';
import { BudgetSlider } from './budget-slider';
import { Outcomes } from './outcomes';

const AN_ID = /^[A-Z][A-Z0-9]*-[0-9]+$/i;

export function BeforeATask() {
  const [about, setAbout] = useSearchParam('about');
  const [tokens, setTokens] = useSearchParam('tokens', '4000');
  const [depth, setDepth] = useSearchParam('depth', '1');
  const [related, setRelated] = useSearchParam('related', 'true');
  const [activity, setActivity] = useSearchParam('activity', 'true');
  const typed = useTyped(about.trim());
  const focus = AN_ID.test(typed) ? { task_id: typed } : { query: typed };
  const asked = { ...focus, depth, max_tokens: useTyped(tokens), include_related: related, include_activity: activity, explain: true };
  const answer = useAnswer<ExplainedContext>('context', asked, { enabled: typed !== '', keep: true });
  return (
    <>
      <div className="card card-body filters">
        <SearchField name="Item, or what the work is about" value={about} change={setAbout} hint="TASK-0042, or: paging of the cart" main />
        <Choice name="Depth" value={depth} options={['1', '2', '3']} change={setDepth} />
        <Check checked={related === 'true'} change={(on) => setRelated(String(on))}>
          Related by meaning
        </Check>
        <Check checked={activity === 'true'} change={(on) => setActivity(String(on))}>
          What happened lately
        </Check>
        <BudgetSlider tokens={Number(tokens)} change={(budget) => setTokens(String(budget))} />
      </div>
      {typed === '' ? (
        <Nothing title="Which work?">Name an item, or say in words what the work is about. The answer is the one that an agent would get.</Nothing>
      ) : (
        <Answered of={answer}>{(explained) => <Outcomes of={explained} />}</Answered>
      )}
    </>
  );
}
