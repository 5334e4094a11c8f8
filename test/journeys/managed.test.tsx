import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

/** The action is said to be done, and its form has closed. */
const isSaid = (says: string) => (frame: string) => frame.includes(says) && !frame.includes('── ');

test('a service is down: its issue, the ticket about it, and monitoring is off until it is mended', async () => {
  const skydeck = await openSkydeck({ demo: { pace: 1 }, place: { area: 'managed-services' } });
  await skydeck.waitFor(/✗ problem +search/);
  expect(skydeck.cursorLine()).toContain('search');

  await skydeck.goTo('managed issues');
  await skydeck.waitFor(/\d min +search +\d+ search does not answer/);
  await skydeck.press('o');
  await skydeck.waitFor(/Tickets › search does not answer[\s\S]*│ Managed monitoring got no response from search/);
  await skydeck.press('[');
  await skydeck.press('enter');
  await skydeck.waitFor(/Managed issues › search does not answer[\s\S]*Services now +problem/);

  await skydeck.goTo('managed services');
  await skydeck.pointAt('search');
  await skydeck.press('a', 'X');
  await skydeck.waitFor(
    /Stops[\s▌│]+monitoring[\s▌│]+search\.[\s▌│]+Nobody[\s▌│]+is[\s▌│]+notified[\s▌│]+when[\s▌│]+it[\s▌│]+goes[\s▌│]+down/,
  );
  await skydeck.press('enter');
  await skydeck.waitFor(/○ disabled +search/);
  await skydeck.press('a');
  await skydeck.waitFor(/Disable +search is already disabled/);
  await skydeck.press('O');
  await skydeck.waitFor('Enable: search');
  await skydeck.waitFor(/◐ pending +search/);
  expect(skydeck.changes.map(({ path }) => path.split('/').at(-1))).toEqual(['disable', 'enable']);
});

test('a new service is watched: a private one needs its region, and its settings are changed and deleted', async () => {
  const skydeck = await openSkydeck({ demo: { pace: 1 }, rows: 40, place: { area: 'managed-services' } });
  await skydeck.waitFor('Managed services  8');
  await skydeck.press('n');
  await skydeck.waitFor('── New managed service');
  await skydeck.fill('Label', 'queue');
  await skydeck.choose('Type', 'tcp');
  await skydeck.fill('Address', '192.168.128.41:5672');
  await skydeck.fill('Timeout', '256');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Timeout must be 1–255 seconds; it is 256.');
  await skydeck.waitFor('Region is required;');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('Region'));
  await skydeck.fill('Timeout', '15');
  await skydeck.pick('Region', 'us-west');
  await skydeck.fill('Contact group', 'on-call');
  await skydeck.field('Credentials');
  await skydeck.press('enter');
  await skydeck.waitFor('── Credentials ─');
  await skydeck.type('relay');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('mail relay'));
  await skydeck.press('space');
  await skydeck.waitFor(/✓.*mail relay/);
  await skydeck.press('enter');
  await skydeck.waitFor(/Credentials +. mail relay \(4101\)/);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/❯ +◐ pending +queue/);
  expect(skydeck.changes.at(-1)?.body).toEqual({
    label: 'queue',
    service_type: 'tcp',
    address: '192.168.128.41:5672',
    region: 'us-west',
    timeout: 15,
    consultation_group: 'on-call',
    credentials: [4101],
  });

  await skydeck.press('e');
  await skydeck.waitFor('── Edit queue');
  await skydeck.fill('Address', 'queue.example.com:5671');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: queue');
  expect(skydeck.changes.at(-1)?.body).toEqual({ address: 'queue.example.com:5671', region: null });

  await skydeck.press('d');
  await skydeck.waitFor('Type queue to confirm');
  expect(skydeck.text()).toMatch(/queue\.example\.com:5671 is no\s+longer monitored/);
  await skydeck.type('queue');
  await skydeck.press('enter');
  await skydeck.waitFor('Managed services  8');
  expect(skydeck.changes.at(-1)).toMatchObject({ method: 'DELETE', status: 200 });
});

test('a credential is made, its password changed and never shown, and it is revoked', async () => {
  const skydeck = await openSkydeck({ rows: 30, place: { area: 'managed-credentials' } });
  await skydeck.waitFor(/metrics console +never/);
  await skydeck.press('n');
  await skydeck.waitFor('── New managed credential');
  await skydeck.fill('Label', 'queue console');
  await skydeck.fill('Password', 'correct horse');
  await skydeck.press('ctrl-p');
  await skydeck.waitFor('[redacted]');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/❯ +queue console +never/);

  await skydeck.press('a', 'P');
  await skydeck.waitFor('── Change username and password of queue console');
  await skydeck.fill('Username', 'watcher');
  await skydeck.fill('Password', 'battery staple');
  expect(skydeck.text()).not.toContain('battery');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(
    /Replaces the username and password[\s▌│]+of[\s▌│]+queue[\s▌│]+console\.[\s▌│]+The[\s▌│]+current[\s▌│]+one[\s▌│]+cannot[\s▌│]+be[\s▌│]+read[\s▌│]+back/,
  );
  await skydeck.press('enter');
  await skydeck.waitFor(isSaid('Change username and password: queue console'));
  expect(skydeck.changes.at(-1)).toMatchObject({ body: { username: 'watcher', password: '[redacted]' }, status: 200 });

  await skydeck.pointAt('mail relay');
  await skydeck.press('d');
  await skydeck.waitFor(
    /password[\s▌│]+cannot[\s▌│]+be[\s▌│]+recovered\.[\s▌│]+It[\s▌│]+is[\s▌│]+used[\s▌│]+for[\s▌│]+mail\./,
  );
  await skydeck.type('mail relay');
  await skydeck.press('enter');
  await skydeck.waitFor((frame) => /Managed credentials {2}3/.test(frame) && !frame.includes('mail relay  '));
  expect(skydeck.changes.at(-1)).toMatchObject({ method: 'POST', status: 200 });
  expect(skydeck.changes.at(-1)?.path).toMatch(/\/revoke$/);
});

test('a contact is made, and the last of a group is deleted only with a warning', async () => {
  const skydeck = await openSkydeck({ rows: 30, place: { area: 'managed-contacts' } });
  await skydeck.waitFor('Managed contacts  5');
  await skydeck.press('n');
  await skydeck.waitFor('── New managed contact');
  await skydeck.fill('Name', 'Week end');
  await skydeck.fill('Email', 'week-end');
  await skydeck.fill('Primary phone', '+1 202 555 0190');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Email must be an email address');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('Email'));
  await skydeck.fill('Email', 'week-end@example.com');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(isSaid('New managed contact: Week end'));
  expect(skydeck.changes.at(-1)?.body).toEqual({
    name: 'Week end',
    email: 'week-end@example.com',
    phone: { primary: '+1 202 555 0190' },
  });

  await skydeck.pointAt('Database team');
  await skydeck.press('d');
  await skydeck.waitFor(
    /the[\s▌│]+last[\s▌│]+contact[\s▌│]+in[\s▌│]+the[\s▌│]+group[\s▌│]+database,[\s▌│]+so[\s▌│]+nobody[\s▌│]+is[\s▌│]+notified[\s▌│]+when[\s▌│]+database[\s▌│]+goes[\s▌│]+down/,
  );
  await skydeck.press('enter');
  await skydeck.waitFor('Managed contacts  5');
  expect(skydeck.text()).not.toMatch(/^. +Database team/m);
});

test('a server lets monitoring in by another port, with the key that is copied whole', async () => {
  const skydeck = await openSkydeck({ rows: 30, place: { area: 'managed-server-settings' } });
  await skydeck.waitFor('Managed server settings  40');
  await skydeck.pointAt('batch-1');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit batch-1');
  await skydeck.fill('User', 'watch');
  await skydeck.fill('Port', '65536');
  await skydeck.waitFor('Port must be 1–65535; it is 65536.');
  await skydeck.fill('Port', '2222');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/batch-1 +yes +watch +192\.0\.2\.\d+ +2222/);
  expect(skydeck.changes.at(-1)?.body).toEqual({ ssh: { user: 'watch', port: 2222 } });

  await skydeck.goTo('managed ssh key');
  await skydeck.waitFor(/Managed SSH key[\s\S]*== managed@example\.com/);
  const shown = skydeck
    .text()
    .split('\n')
    .map((line) => line.trim())
    .join('');
  const { ssh_key: key } = await skydeck.elsewhere('GET', '/managed/credentials/sshkey');
  expect(shown.replaceAll(' ', '')).toContain(String(key).replaceAll(' ', ''));
  await skydeck.press('c');
  await skydeck.waitFor('── Copy of ');
  await skydeck.press('enter');
  await skydeck.waitFor('Copied the SSH public key');
  expect(skydeck.copied).toEqual([key]);
});

test('the graphs of all managed servers are looked at, one after the other', async () => {
  const skydeck = await openSkydeck({ place: { area: 'managed-statistics' } });
  await skydeck.waitFor(/Last 24 hours of all servers[\s\S]*CPU {2}%/);
  for (const name of ['CPU', 'Disk', 'Swap', 'Network'])
    expect(skydeck.text()).toMatch(new RegExp(`^ .? ?${name} `, 'm'));
  await skydeck.press('down', 'down', 'down');
  await skydeck.waitFor(/Network {2}bit\/s[\s\S]*● in/);
  await skydeck.press('left');
  await skydeck.waitFor(/AT \d\d:\d\d/);
  await skydeck.press('shift-tab');
  await skydeck.waitFor(/CPU now +[\d .]+%/);
});

test('read only, its changes go into the plan, and nothing is sent', async () => {
  const skydeck = await openSkydeck({ readOnly: true, token: 'readOnly', place: { area: 'managed-services' } });
  await skydeck.waitFor('Managed services  8');
  for (const [key, pane] of [
    ['n', '── New managed service'],
    ['e', '── Edit search'],
    ['d', '── Delete?'],
  ] as const) {
    await skydeck.press(key);
    await skydeck.waitFor((frame) => frame.includes(pane) && /\n ctrl-a plan /.test(frame));
    expect(skydeck.text()).not.toMatch(/ctrl-s|enter delete|to confirm/);
    await skydeck.press('esc');
    await skydeck.waitFor((frame) => !frame.includes(pane));
  }
  await skydeck.press('enter');
  await skydeck.waitFor('Managed services › search');
  await skydeck.press('a', 'X');
  await skydeck.waitFor('── Disable?');
  await skydeck.press('enter');
  await skydeck.waitFor('Read-only: nothing is sent; ctrl-a puts it into the plan.');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Step 1 is in the plan: Disable search; :plan shows it. Nothing was sent.');
  await skydeck.goTo('managed credentials');
  await skydeck.waitFor('Managed credentials  3');
  expect(skydeck.text()).not.toContain('──');
  expect(skydeck.changes).toEqual([]);
});

test('beside the facts of an issue its service and ticket have room for their state', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'managed-issues', id: '70426' } });
  await skydeck.waitFor(/managed service +search +✗ problem *\n.*ticket +search does not answer +◐ open\b/);
});
