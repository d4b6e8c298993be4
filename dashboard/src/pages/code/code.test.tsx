import { screen } from '@testing-library/react';
import type { IndexStatus } from '../../api/shapes';
import { serve, show } from '../../testing/server';
import Code from './code';

const standing: IndexStatus = {
  collections: [{ collection: 'memory', documents: 12, pending: 0, partitions: 1, unindexed: 3, pages: 2, bytes: 2_097_152, embedded: [9, 12] }],
  model: 'built in',
  vectors: 'an exact scan',
};
const noJobs = { items: [], next: null, total: 0 };

test('what is not indexed yet is told', async () => {
  serve({ 'code/status': standing, jobs: noJobs });
  show(<Code />);
  expect(await screen.findByRole('row', { name: /^memory 12 3 1 .*75 %$/ })).toBeVisible();
  expect(screen.getByText('2.0 MB')).toBeVisible();
  expect(screen.queryByText("The project's files")).toBeNull();
});

test('the index of files says how fresh it is and what is wrong', async () => {
  const code = { root: '.', files: 210, chunks: 900, left_out: 4, unreadable: 0, waiting: 2, job: { state: 'dead', attempts: 5, error: 'the folder is gone' }, duration_ms: 4200, stale_ratio: 0.1, searches: 40, hit_rate: 0.9, fallback_rate: 0, stale_results: 0.05 };
  serve({ 'code/status': { ...standing, code }, jobs: noJobs });
  show(<Code />);
  expect(await screen.findByText('210 files in 900 pieces, 4 left out as no source')).toBeVisible();
  expect(screen.getByText(/2 changed files to be taken in/)).toBeVisible();
  expect(screen.getByText('the folder is gone')).toBeVisible();
});
