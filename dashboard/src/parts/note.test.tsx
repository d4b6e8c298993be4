import { render, screen } from '@testing-library/react';
import { Problem } from '../api/ask';
import { Answered } from './note';

const failed = (error: Error) => render(<Answered of={{ data: undefined, error, refetch: () => undefined }}>{() => null}</Answered>);

test('what failed can be asked for again, unless it is not there', () => {
  const { unmount } = failed(new Problem(503, 'Not possible just now', 'the database is busy'));
  expect(screen.getByRole('alert')).toHaveTextContent('the database is busy');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  unmount();
  failed(new Problem(404, 'Not found', 'there is no item "TASK-9"'));
  expect(screen.getByRole('alert')).toHaveTextContent('there is no item');
  expect(screen.queryByRole('button')).toBeNull();
});
