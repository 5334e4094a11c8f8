import { expect } from 'vitest';
import type { Skydeck } from './skydeck.ts';

/** Waits until the dashboard has read this path, or one like it, and was answered. */
export const answered = ({ requests }: Skydeck, path: string | RegExp): Promise<void> =>
  expect
    .poll(() => requests, { timeout: 5000 })
    .toContainEqual({
      method: 'GET',
      path: typeof path === 'string' ? path : expect.stringMatching(path),
      status: 200,
    });
