import { expect, onTestFinished, test } from 'vitest';
import { openSkydeck, startSlowDemo } from './skydeck.ts';

test('the account is one card: its address is mended, and a wrong state is said at its field', async () => {
  const skydeck = await openSkydeck({ place: { area: 'account' }, rows: 30 });
  await skydeck.waitFor(/Company +Example Trading[\s\S]*Credit card +ends in 1117, expired/);
  await skydeck.press('e');
  await skydeck.fill('State or province', 'Pennsylvania');
  await skydeck.waitFor('State or province must be the two letters of a US state');
  await skydeck.fill('State or province', 'NJ');
  await skydeck.fill('City', 'Newark');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor(/PUT [\s\S]*"city": "Newark",\s+"state": "NJ"\s+}/);
  await skydeck.press('ctrl-p', 'ctrl-s');
  await skydeck.waitFor(/City +19102-1234 Newark[\s\S]*State or province +NJ/);
  expect(skydeck.changes.at(-1)?.body).toEqual({ city: 'Newark', state: 'NJ' });
});

test('what was spent: bars by month, the taxes of one, and its invoice', async () => {
  const skydeck = await openSkydeck({ columns: 110, rows: 40 });
  await skydeck.goTo('account');
  await skydeck.press('2');
  await skydeck.waitFor(/Invoiced: \$[\d .]+ in 42 months[\s\S]*█+▒+[\s\S]* \d{4}: \$[\d .]+ \+ PA STATE TAX \$/);
  await skydeck.press('down', 'enter');
  await skydeck.waitFor(/Invoice #\d+[\s\S]*Tax summary +PA STATE TAX \$[\s\S]*PHILADELPHIA CITY TAX \$/);
  expect(skydeck.text()).not.toMatch(/ Taxes|│/);
  await skydeck.goTo('invoices');
  await skydeck.waitFor(/Invoices {2}42 .*total: \$/);
  await skydeck.goTo('account');
  await skydeck.press('4');
  await skydeck.waitFor(/LEFT [\s\S]* FOR\n +\$50 a month off object storage .* Object storage\n/);
  expect(skydeck.text()).not.toContain('│');
});

test('the account is cancelled only after its label is typed, and only once the card can be charged', async () => {
  const skydeck = await openSkydeck({ place: { area: 'account' } });
  await skydeck.waitFor('Example Trading');
  const cancel = async () => {
    await skydeck.press('a', 'X', 'ctrl-s');
    await skydeck.waitFor(/cannot be[\s▌│]+recovered[\s\S]*Type Example Trading to confirm/);
    await skydeck.press('enter');
    await skydeck.type('Example Trading');
    await skydeck.press('enter');
  };
  await cancel();
  await skydeck.waitFor(/unable to charge your credit card ending in 1117[\s\S]*expired/);
  await skydeck.press('esc');

  await skydeck.press('a', 'C');
  await skydeck.fill('Card number', '4111222233334444');
  await skydeck.fill('Security code', '123');
  await skydeck.fill('Expiry month', '12');
  await skydeck.fill('Expiry year', '2040');
  expect(skydeck.text()).not.toContain('4111222233334444');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor('"card_number": "[redacted]"');
  await skydeck.press('ctrl-p', 'ctrl-s');
  await skydeck.waitFor('ends in 4444, expires 12/2040');

  await cancel();
  await skydeck.waitFor(/Survey link\s+https:\/\/survey\.example\.com\/leaving/);
  await skydeck.press('c', 'esc');
  expect(skydeck.copied.at(-1)).toMatch(/^https:\/\/survey/);
  expect(JSON.stringify(skydeck.changes)).not.toContain('4111222233334444');
});

test('two servers are offered to another account, and the offer is taken back', async () => {
  const skydeck = await openSkydeck({ place: { area: 'servers' } });
  await skydeck.waitFor('Servers  40');
  await skydeck.press('a');
  await skydeck.type('another account');
  await skydeck.waitFor('Nothing matches.');
  await skydeck.press('esc');
  // It has no place until its rows are known.
  await skydeck.goTo('transfers');
  await skydeck.waitFor(/failed +received/);
  await skydeck.goTo('servers');
  await skydeck.pointAt('batch-2');
  await skydeck.press('space', 'space', 'a');
  await skydeck.waitFor('Actions on 2 servers');
  await skydeck.press('H');
  await skydeck.waitFor(/Servers \* +batch-2 \(\d+\), batch-3 \(\d+\)/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Offers batch-2 and batch-3 with everything on them');
  await skydeck.press('enter');
  await skydeck.waitFor('New entity transfer (deprecated): ');
  await skydeck.goTo('transfers');
  await skydeck.waitFor(/pending +sent/);
  await skydeck.press('a', 'X');
  await skydeck.waitFor('Cancels the transfer of 2 servers');
  await skydeck.press('enter');
  await skydeck.waitFor(/cancelled +sent[\s\S]*failed +received/);
});

test('a transfer that was offered is looked at by its token before it is accepted', async () => {
  const demo = await startSlowDemo();
  onTestFinished(demo.close);
  const skydeck = await openSkydeck({ demo, place: { area: 'tickets' }, columns: 110 });
  await skydeck.waitFor('Two servers of the old acc');
  await skydeck.pointAt('Two servers of the old acc');
  await skydeck.press('enter');
  await skydeck.waitFor(/Its token is [0-9a-f-]{36}/);
  const token = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(skydeck.text())?.[0] ?? '';
  await skydeck.press(':');
  await skydeck.paste(token);
  await skydeck.waitFor(`Open entity transfer ${token.slice(0, 8)}`);
  await skydeck.press('enter');
  await skydeck.waitFor(/pending[\s\S]*received[\s\S]*39110207, 39110214/);
  await skydeck.press('a', 'Y');
  await skydeck.waitFor('Moves 2 servers to this account');
  await skydeck.press('enter');
  await skydeck.waitFor(/Status +◐ accepted/);
  demo.pass(60);
  await skydeck.waitFor(/Status +● completed/);
  await skydeck.goTo('servers');
  await skydeck.waitFor('Servers  42');
});
