import { ago, brief, lasted, many, spoken } from './words';

const NOW = Date.parse('2026-11-15T12:00:00Z');

test.each([
  ['2026-11-15T11:59:40Z', 'just now'],
  ['2026-11-15T11:48:00Z', '12 min ago'],
  ['2026-11-15T09:00:00Z', '3 h ago'],
  ['2026-11-12T12:00:00Z', '3 d ago'],
  ['2026-08-01T12:00:00Z', '3 mo ago'],
  ['2026-11-15T12:00:09Z', 'just now'],
  ['2026-11-15T12:31:00Z', 'in 31 min'],
])('%s is %s', (at, said) => expect(ago(at, NOW)).toBe(said));

test('small numbers are whole, large ones short', () => {
  expect([brief(9_999), brief(12_345), brief(1_200_000)]).toEqual(['9,999', '12.3K', '1.2M']);
});

test('one is not many', () => {
  expect([many(1, 'entry', 'entries'), many(2, 'entry', 'entries')]).toEqual(['1 entry', '2 entries']);
});

test('lengths and words', () => {
  expect([lasted(42), lasted(300), lasted(7_500), spoken('in_progress')]).toEqual(['42 s', '5 min', '2 h 5 min', 'in progress']);
});
