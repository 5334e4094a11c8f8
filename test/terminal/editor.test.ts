import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editText } from '../../src/terminal/editor.ts';

let directory: string;
let suspensions: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'editor of a test '));
  suspensions = [];
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const suspend = async (run: () => Promise<void>) => {
  suspensions.push('suspended');
  await run();
  suspensions.push('resumed');
};

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
    expect(await editText('old text', { env, suspend, suffix: '.sh' })).toBe('new text');
    const [text, file = '', ...modes] = (await readFile(env.SEEN, 'utf8')).trim().split('\n');
    expect(text).toBe('old text');
    expect(file).toMatch(/\.sh$/);
    expect(modes).toEqual(['600', '700']);
    expect(suspensions).toEqual(['suspended', 'resumed']);
    expect(await readdir(dirname(dirname(file)))).not.toContain(dirname(file).split('/').at(-1));
  });

  it('is opened at a line where it can be told so', async () => {
    const seen = `echo "$*" >"$SEEN"`;
    const asNano = join(directory, 'nano');
    await writeFile(asNano, `#!/bin/sh\n${seen}\n`, { mode: 0o755 });
    const told = environment({ EDITOR: `'${asNano}'` });
    await editText('text', { env: told, suspend, line: 7 });
    expect(await readFile(told.SEEN, 'utf8')).toMatch(/^\+7 \S+text\.txt$/m);
    const untold = environment({ EDITOR: await script(seen) });
    await editText('text', { env: untold, suspend, line: 7 });
    expect(await readFile(untold.SEEN, 'utf8')).not.toContain('+7');
  });

  it('keeps line breaks as they were meant', async () => {
    const append = await script('printf "two\\n" >>"$1"');
    expect(await editText('one\n', { env: environment({ EDITOR: append }), suspend })).toBe('one\ntwo\n');
    const nothing = environment({ EDITOR: 'true' });
    expect(await editText('no end', { env: nothing, suspend })).toBe('no end');
    expect(await editText('end\n\n', { env: nothing, suspend })).toBe('end\n\n');
  });

  it('is VISUAL before EDITOR, and may have arguments', async () => {
    const VISUAL = `${await script('echo "$1" >"$2"')} --wait`;
    expect(await editText('', { env: environment({ VISUAL, EDITOR: 'false' }), suspend })).toBe('--wait');
  });

  it('that ends with an error changes nothing and leaves no file', async () => {
    const EDITOR = await script('echo "$1" >"$SEEN"; echo changed >"$1"; exit 1');
    const env = environment({ EDITOR });
    expect(await editText('text', { env, suspend })).toBeUndefined();
    const file = (await readFile(env.SEEN, 'utf8')).trim();
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  it('that is ended by a signal changes nothing', async () => {
    expect(await editText('text', { env: environment({ EDITOR: 'kill -TERM $$ #' }), suspend })).toBeUndefined();
  });

  it('that does not exist is named, with the way out', async () => {
    await expect(editText('text', { env: environment({ EDITOR: 'no-such-editor' }), suspend })).rejects.toThrow(
      'The editor no-such-editor cannot be started; name another one in EDITOR.',
    );
    expect(suspensions).toEqual(['suspended', 'resumed']);
  });
});
