import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editText } from '../../src/terminal/editor.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'editor of a test '));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** A shell script as editor; `$1` is the file. */
async function script(body: string): Promise<string> {
  const file = join(directory, 'editor.sh');
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return `'${file}'`;
}

const environment = (more: Record<string, string>) => ({
  PATH: process.env.PATH,
  SEEN: join(directory, 'seen'),
  ...more,
});

describe('the editor', () => {
  it('gets the text in a file of its user and answers what was made of it', async () => {
    const EDITOR = await script(
      '{ cat "$1"; echo; echo "$1"; stat -c %a "$1" "$(dirname "$1")"; } >"$SEEN"; echo "new text" >"$1"',
    );
    const env = environment({ EDITOR });
    expect(await editText('old text', { env, suffix: '.sh' })).toBe('new text');
    const [text, file = '', ...modes] = (await readFile(env.SEEN, 'utf8')).trim().split('\n');
    expect(text).toBe('old text');
    expect(file).toMatch(/\.sh$/);
    expect(modes).toEqual(['600', '700']);
    expect(await readdir(dirname(dirname(file)))).not.toContain(dirname(file).split('/').at(-1));
  });

  it('is opened at a line where it can be told so', async () => {
    const seen = `echo "$*" >"$SEEN"`;
    const asNano = join(directory, 'nano');
    await writeFile(asNano, `#!/bin/sh\n${seen}\n`, { mode: 0o755 });
    const told = environment({ EDITOR: `'${asNano}'` });
    await editText('text', { env: told, line: 7 });
    expect(await readFile(told.SEEN, 'utf8')).toMatch(/^\+7 \S+text\.txt$/m);
    const untold = environment({ EDITOR: await script(seen) });
    await editText('text', { env: untold, line: 7 });
    expect(await readFile(untold.SEEN, 'utf8')).not.toContain('+7');
  });

  it('keeps line breaks as they were meant', async () => {
    const append = await script('printf "two\\n" >>"$1"');
    expect(await editText('one\n', { env: environment({ EDITOR: append }) })).toBe('one\ntwo\n');
    const nothing = environment({ EDITOR: 'true' });
    expect(await editText('no end', { env: nothing })).toBe('no end');
    expect(await editText('end\n\n', { env: nothing })).toBe('end\n\n');
  });

  it('is VISUAL before EDITOR, and may have arguments', async () => {
    const VISUAL = `${await script('echo "$1" >"$2"')} --wait`;
    expect(await editText('', { env: environment({ VISUAL, EDITOR: 'false' }) })).toBe('--wait');
  });

  it('that ends with an error changes nothing and leaves no file', async () => {
    const EDITOR = await script('echo "$1" >"$SEEN"; echo changed >"$1"; exit 1');
    const env = environment({ EDITOR });
    expect(await editText('text', { env })).toBeUndefined();
    const file = (await readFile(env.SEEN, 'utf8')).trim();
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  it('that is ended by a signal changes nothing', async () => {
    expect(await editText('text', { env: environment({ EDITOR: 'kill -TERM $$ #' }) })).toBeUndefined();
  });

  it('that does not exist is named, with the way out', async () => {
    await expect(editText('text', { env: environment({ EDITOR: 'no-such-editor' }) })).rejects.toThrow(
      'The editor no-such-editor cannot be started; name another one in EDITOR.',
    );
  });

  it('ends when it is told to, even one that does not want to, and the file is gone', async () => {
    const EDITOR = await script('echo "$1" >"$SEEN"; trap "" HUP; exec sleep 600');
    const env = environment({ EDITOR });
    const ending = new AbortController();
    const edited = editText('text', { env, signal: ending.signal });
    await expect.poll(() => readFile(env.SEEN, 'utf8').catch(() => '')).toMatch(/text\.txt$/m);
    ending.abort();
    expect(await edited).toBeUndefined();
    await expect(readdir(dirname((await readFile(env.SEEN, 'utf8')).trim()))).rejects.toThrow('ENOENT');
  });

  it('that is told to end before it began ends', async () => {
    const EDITOR = await script('exec sleep 600');
    expect(await editText('text', { env: environment({ EDITOR }), signal: AbortSignal.abort() })).toBeUndefined();
  });
});
