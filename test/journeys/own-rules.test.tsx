import { test } from 'vitest';
import type { Configuration } from '../../src/config/configuration.ts';
import { openSkydeck } from './skydeck.ts';

const rules: Configuration['rules'] = [
  { for: 'servers', where: 'label:worker-5 !status:running', severity: 'critical', says: '{label} is {status}, mine' },
  { for: 'servers', where: 'tag:web', severity: 'warning', says: '{label} has {specs.vcpus} CPUs' },
  { for: 'records', where: 'type:MX', severity: 'notice', says: '{label} takes mail' },
];

test("problems of one's own are on Home, in their list and on their page, and are acknowledged", async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, configuration: { rules } });
  await skydeck.waitFor(/critical +server +worker-5 is stopped, mine/);
  await skydeck.goTo('problems');
  await skydeck.pointAt('worker-5 is stopped, mine');
  await skydeck.press('enter');
  await skydeck.waitFor(/Problems › worker-5[\s\S]*Evidence/);
  await skydeck.waitFor('finds servers by label:worker-5 !status:running');
  await skydeck.waitFor('worker-5 is stopped; the platform');
  await skydeck.press('esc');
  await skydeck.press('m', 'enter');
  await skydeck.waitFor(/worker-5.*acknowledged for 1 hour/);
  await skydeck.waitFor((text) => !/critical.*worker-5 is stopped, mine/.test(text));
  await skydeck.pointAt('more servers');
  await skydeck.press('enter');
  await skydeck.waitFor(/rule=own-servers-tag-web severity:warning/);
  await skydeck.waitFor(/web-1 has \d+ CPUs/);
  await skydeck.press('esc', '/');
  await skydeck.type('rule:own-records');
  await skydeck.press('enter');
  await skydeck.waitFor(/takes mail/);
});
