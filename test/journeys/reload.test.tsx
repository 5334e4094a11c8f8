import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseArguments } from '../../src/program/arguments.ts';
import { rereader } from '../../src/program/config/rereadConfig.ts';
import { readSettings } from '../../src/program/settings.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openSkydeck } from './skydeck.ts';

test('the configuration is read again: parts apply, settings are named, and a mistake changes nothing', async () => {
  const folder = temporaryFolder('reload');
  const file = join(folder, 'c.toml');
  const profile = '[profiles.work]\nbase_url = "https://api.example.com"\ntoken_env = "T"\n';
  await writeFile(file, profile);
  const { options } = parseArguments(['--config', file]);
  const env = { HOME: folder, T: 'secret' };
  const settings = await readSettings(options, env);
  const skydeck = await openSkydeck({
    columns: 160,
    rows: 30,
    place: { area: 'servers' },
    configuration: settings.configuration,
    reread: rereader(settings, options, env),
  });
  await skydeck.waitFor('api-1');
  const reload = async (text: string) => {
    await writeFile(file, text);
    await skydeck.press(':');
    await skydeck.type('reload');
    await skydeck.waitFor(() => skydeck.cursorLine().includes('Reload the configuration'));
    await skydeck.press('enter');
  };

  await reload(profile);
  await skydeck.waitFor('c.toml is read again: nothing is different.');

  const guard = '[[profiles.work.guards]]\nactions = ["delete"]\ndeny = true\nreason = "Ask the pipeline."\n';
  await reload(`${profile}read_only = true\ntheme = "light"\n${guard}[keys]\npreset = "vim"\n`);
  await skydeck.waitFor('c.toml is read again: keys, guards, theme apply now; read_only counts from the next start.');
  const first = skydeck.cursorLine();
  await skydeck.press('j');
  await skydeck.waitFor(() => skydeck.cursorLine() !== first);
  await skydeck.press('d');
  await skydeck.waitFor('Ask the pipeline.');

  await reload(`${profile}[[profiles.work.guards]]\nactions = ["delete"]\ndenny = true\n`);
  await skydeck.waitFor(/line 6: profiles\.work\.guards\[1\]\.denny is unknown; did you mean deny\?/);
  await skydeck.goTo('messages');
  await skydeck.waitFor('The configuration that runs stays as it is.');
  await skydeck.press('esc', 'd');
  await skydeck.waitFor('Ask the pipeline.');

  await reload(`${profile}${guard}[views.one]\nfilter = "a"\n[keys]\npreset = "vim"\n`);
  await skydeck.waitFor(
    'c.toml is read again: theme applies now. Left out: 1 part with a mistake; the journal says which.',
  );
  await skydeck.goTo('messages');
  await skydeck.waitFor('views.one.area is missing. It is left out.');
  await skydeck.press('esc');
  await skydeck.press(':');
  await skydeck.type('view-one');
  await skydeck.waitFor(/❯ one +view/);
  await skydeck.press('enter');
  await skydeck.waitFor(/c\.toml[\s\S]*views\.one\.area\s+is missing/);
  await skydeck.press('esc');

  await reload('');
  await skydeck.goTo('messages');
  await skydeck.waitFor('c.toml has no profile work any more. The configuration that runs stays as it is.');
  expect(skydeck.changes).toEqual([]);
});
