import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { VirtualList } from './virtual-list';

const rows = (length: number) => Array.from({ length }, (_, place) => `row ${place}`);

function list(length: number, more?: () => void) {
  return (
    <VirtualList name="Rows" rows={rows(length)} rowHeight={40} idOf={(row) => row} more={more}>
      {(row) => <button type="button">{row}</button>}
    </VirtualList>
  );
}

test('of 100,000 rows only those in sight are in the page', () => {
  render(list(100_000));
  expect(screen.getAllByRole('button').length).toBeLessThan(40);
  expect(screen.getAllByRole('listitem')[0]).toHaveAttribute('aria-setsize', '100000');
});

test('more is asked for only near the end', () => {
  const more = vi.fn();
  const { rerender } = render(list(1000, more));
  expect(more).not.toHaveBeenCalled();
  rerender(list(12, more));
  expect(more).toHaveBeenCalled();
});

test('keys move from row to row and do not leave the list', async () => {
  render(list(30));
  screen.getByRole('region', { name: 'Rows' }).focus();
  await userEvent.keyboard('jj');
  await waitFor(() => expect(screen.getByRole('button', { name: 'row 1' })).toHaveFocus());
  await userEvent.keyboard('{ArrowUp}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'row 0' })).toHaveFocus());
});
