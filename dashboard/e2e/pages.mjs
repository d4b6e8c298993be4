// Every page, how to get there, and what shows that it is there.

export const pages = (items, session, memory) => [
  { name: 'overview', path: '', shows: 'Just happened' },
  { name: 'working-set', path: '/working-set', shows: 'Tokens by tier' },
  { name: 'backlog-tree', path: '/backlog', shows: 'Checkout that never loses an order' },
  { name: 'backlog-board', path: '/backlog?view=board', shows: 'Move prices to integer cents' },
  { name: 'backlog-item', path: `/backlog/${items.receipt}`, shows: 'Blocking chain' },
  { name: 'sessions', path: '/sessions', shows: 'checkout-paging' },
  { name: 'session', path: `/sessions/${session}`, shows: 'Tokens given' },
  { name: 'session-told', path: `/sessions/${session}?view=told`, shows: 'What happened' },
  { name: 'session-injected', path: `/sessions/${session}?view=injected`, shows: 'Put before the model' },
  { name: 'memories', path: `/memories/${memory}`, shows: 'Where it came from' },
  { name: 'review', path: '/memories?view=review', shows: 'With a statement in focus' },
  { name: 'code', path: '/code', shows: 'What is indexed' },
  { name: 'inspector-task', path: `/inspector?about=${items.paging}&tokens=1500`, shows: 'Every candidate' },
  { name: 'inspector-search', path: '/inspector?way=search&query=cart+paging', shows: 'How it was searched' },
  { name: 'inspector-prompt', path: '/inspector?way=prompt&prompt=Why+does+the+cart+paging+stop+at+100+lines', shows: 'What the person types' },
];
