import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('no golden frame is empty', async () => {
  const folder = join(import.meta.dirname, 'golden');
  const frames = await Promise.all(
    (await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'utf8')]),
  );
  expect(frames.filter(([, text = '']) => text.trim() === '').map(([name]) => name)).toEqual([]);
});
