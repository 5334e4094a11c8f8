import { expect, test } from 'vitest';
import { memoryState } from '../store/keptState.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

test('a list is saved as a view, which is a place from then on', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('/');
  await skydeck.type('tag:prod');
  await skydeck.press('enter', 's');
  await skydeck.type('region');
  await skydeck.press('enter', ':');
  await skydeck.type('save servers');
  await skydeck.press('enter');
  await skydeck.waitFor('── Save this list as a view');
  await skydeck.press('enter');
  await skydeck.waitFor('servers is the name of an area');
  await skydeck.press('ctrl-u');
  await skydeck.type('prod');
  await skydeck.waitFor('[views.prod]');
  await skydeck.press('enter');
  await skydeck.waitFor('── Saved: prod');
  await skydeck.waitFor('sort = "region"');
  await skydeck.press('c', 'esc');
  expect(skydeck.copied).toEqual(['[views.prod]\narea = "servers"\nfilter = "tag:prod"\nsort = "region"\n']);
  await skydeck.waitFor('Servers › prod  ');
  expect(skydeck.text().split('\n')[0]).toContain('Servers › prod');

  // A change of the list is told, and gone when the view is opened again.
  await skydeck.press('esc');
  await skydeck.waitFor('Servers › prod (changed)');
  await skydeck.press(':');
  await skydeck.type('prod');
  await skydeck.waitFor(/prod +view +Servers {2}tag:prod/);
  await skydeck.press('enter');
  await skydeck.waitFor('filter: tag:prod');

  // The name is taken only after it was asked for; a forgotten view can be copied.
  await skydeck.press(':');
  await skydeck.type('save prod');
  await skydeck.press('enter');
  await skydeck.waitFor('── Save this list as a view');
  await skydeck.press('enter');
  await skydeck.waitFor('There is a view prod already');
  await skydeck.press('esc', ':');
  await skydeck.type('forget prod');
  await skydeck.press('enter');
  await skydeck.waitFor('── Forgotten: prod');
});

test('a view is opened by its key, on each kind of terminal, and by its name', async () => {
  const configuration = {
    views: {
      prod: { area: 'servers', filter: 'tag:prod', sort: '-label', key: 'f5', columns: ['label', 'alerts.network_in'] },
      big: { area: 'volumes', filter: 'size>10GiB', key: 'alt-3' },
    },
  };
  const skydeck = await openSkydeck({ columns: 60, rows: 16, configuration, place: { area: '', view: 'prod' } });
  await skydeck.waitFor('Servers › prod');
  await skydeck.waitFor(/^ {3}LABEL.* +NETWORK IN/m);
  for (const f5 of ['\x1b[15~', '\x1b[15;1:1~']) {
    await skydeck.press(':');
    await skydeck.type('home');
    await skydeck.press('enter');
    await skydeck.waitFor('Home');
    await skydeck.press(f5);
    await skydeck.waitFor('Servers › prod');
  }
  for (const alt3 of ['\x1b3', '\x1b[51;3u']) {
    await skydeck.press(alt3);
    await skydeck.waitFor('Volumes › big');
    await skydeck.press('\x1b[15~');
    await skydeck.waitFor('Servers › prod');
  }
  await skydeck.press('\x1b[20~');
  await skydeck.waitFor('"f9" does nothing here');
  await skydeck.press('?');
  await skydeck.type('view');
  await skydeck.waitFor(/f5 +view prod/);
});

test('the last place and the lists come back at the next start, and a row that is gone leads to its list', async () => {
  const demo = await startQuietDemo();
  const memory = memoryState();
  const first = await openSkydeck({
    columns: 120,
    rows: 40,
    demo,
    state: memory.session(),
    place: { area: 'volumes' },
  });
  await first.waitFor('db-primary-data');
  await first.press('/');
  await first.type('data');
  await first.press('enter');
  await first.pointAt('db-primary-data');
  await first.press('enter');
  await first.waitFor('Volumes › db-primary-data');
  await first.close();
  expect(memory.of('view').read().get('place')).toMatchObject({ screen: 'detail', resource: 'volumes' });

  const second = await openSkydeck({ columns: 120, rows: 40, demo, state: memory.session() });
  await second.waitFor('Volumes › db-primary-data');
  await second.press('esc');
  await second.waitFor('filter: data');
  await second.close();

  const gone = { screen: 'detail', resource: 'volumes', params: { volumeId: '999999' }, tab: 'overview' };
  const third = await openSkydeck({
    columns: 120,
    rows: 40,
    demo,
    state: memoryState({ view: { place: gone } }).session(),
  });
  await third.waitFor('The volume 999999 of the last session is gone');
  await third.waitFor('db-primary-data');
  await third.close();

  const refusing = memoryState();
  refusing.refuses = true;
  const fourth = await openSkydeck({ columns: 120, rows: 40, demo, state: refusing.session() });
  await fourth.waitFor('The disk is full. Until that ends, nothing of this session is kept for the next.');
  await demo.close();
});

test('the wall shows the list of a view', async () => {
  const skydeck = await openSkydeck({
    columns: 120,
    rows: 40,
    configuration: { views: { prod: { area: 'servers', filter: 'tag:database', sort: '-label', columns: ['label'] } } },
    watch: { boards: ['prod'], everyMs: 60_000, onCritical: () => {} },
  });
  await skydeck.waitFor(/Servers.* tag:database/);
  await skydeck.waitFor(/db-replica-3.*db-replica-1.*db-primary/s);
  expect(skydeck.text()).not.toContain('api-1');
});

test('where there is no list to save as a view, that is said', async () => {
  const skydeck = await openSkydeck();
  await skydeck.waitFor('› Home');
  await skydeck.press(':');
  await skydeck.waitFor('── Go to');
  await skydeck.type('save busy');
  await skydeck.waitFor(/❯ +Save this list as the view busy +.*a view is a list: go to one first/);
});
