import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

test('columns are chosen beside the list, which follows at once', async () => {
  const skydeck = await openSkydeck({ columns: 200, rows: 60, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  await skydeck.press('s', 'C');
  await skydeck.waitFor('── Columns of servers');
  await skydeck.press('p');
  await skydeck.waitFor('── Another path of the row');
  await skydeck.type('work_in');
  await skydeck.waitFor(/alerts\.network_in +\d/);
  await skydeck.press('enter');
  await skydeck.waitFor(/STATUS +NETWORK IN +LABEL/);
  await skydeck.press('J');
  await skydeck.waitFor(/STATUS +LABEL↑ +NETWORK IN/);
  // Status goes, and the label is made one cell narrower than it was.
  await skydeck.press('g', 'space', 'j', '+', '0', '-');
  await skydeck.waitFor(/^ {3}LABEL↑ +NETWORK IN +IPV4/m);
  await skydeck.waitFor(/❯ +✓ Label +\d+(?: +│.*)?$/m);
  await skydeck.press('esc');

  // It is sorted and filtered by its path, and by a column that is not shown.
  await skydeck.press('s');
  await skydeck.type('network');
  await skydeck.press('enter');
  await skydeck.waitFor('sort: Network in');
  await skydeck.press('/');
  await skydeck.type('network-in>0 status:offline');
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers {2}\d of 40/);

  // On a narrow terminal those at the right are cut off, with a sign.
  await skydeck.resize(60, 16);
  await skydeck.waitFor(/LABEL .* \+\d+$/m);
  await skydeck.press('s', 'C', 'R');
  await skydeck.waitFor('usual columns again');
  await skydeck.press('esc');
  // The filter names a column that is none any more.
  await skydeck.waitFor('No row is shown before the filter is understood.');
  await skydeck.press('esc');
  await skydeck.waitFor(/STATUS +LABEL/);
  expect(skydeck.text()).not.toMatch(/\+\d+$/m);
});
