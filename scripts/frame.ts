/** Takes pictures of the built program in a real pseudo-terminal: `npm run frame` writes docs/*.svg. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import build, { bundle } from '../test/build.ts';
import { openPty, type Pty } from '../test/terminal/pty.ts';
import { svgOf } from './svg.ts';

/** Of the pictures, in cells. */
const size = { columns: 130, rows: 34 };
function picture(pty: Pty, name: string, title: string): void {
  const cells = Array.from({ length: size.rows }, (_, row) =>
    Array.from({ length: size.columns }, (_, column) => pty.styleAt(row, column)),
  );
  writeFileSync(`docs/${name}.svg`, svgOf(cells, title));
}

await build();
const home = mkdtempSync(join(tmpdir(), 'skydeck-frame-'));
const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };

/** Goes to an area by the palette, and waits until it shows something. */
async function goTo(area: string, shown: Parameters<Pty['waitFor']>[0]): Promise<void> {
  await pty.press(':');
  await pty.waitFor('Go to ─');
  await pty.type(area);
  await pty.press('enter');
  await pty.waitFor(shown);
}

const pty = openPty(process.execPath, [bundle, '--demo'], { ...size, env });
try {
  const parts = [/critical/, /resize.*%/, /40 of 40 known/, /no ports/];
  await pty.waitFor((text) => parts.every((part) => part.test(text)), { timeoutMs: 240_000 });
  picture(pty, 'home', 'Skydeck: what is wrong, what is happening, and the whole account at a glance');

  await goTo('servers', (text) => (text.match(/[▁-█]{8}/g)?.length ?? 0) >= 30);
  picture(pty, 'servers', 'Skydeck: the list of servers with their state and load');

  await pty.press('enter');
  await pty.waitFor('Graphs');
  await pty.press('2');
  await pty.waitFor(/[⠁-⣿]{4}/);
  picture(pty, 'graphs', 'Skydeck: the load of one server, with the threshold of its alert');

  await goTo('fleet', /40 of 40 known/);
  picture(pty, 'fleet', 'Skydeck: the load of every server over the last day, the worst first');

  await goTo('domains', /example\.com/);
  await pty.press('enter');
  await pty.waitFor(/_dmarc|TXT/);
  await pty.press('n');
  await pty.waitFor(/New record/);
  await pty.press('space');
  await pty.waitFor(/Target/);
  picture(pty, 'records', 'Skydeck: the records of a domain, and the form of a new one beside them');
  await pty.press('esc');
  await pty.waitFor((text) => !text.includes('New record'));

  await goTo('nodebalancers', /web-lb/);
  await pty.press('G', 'enter');
  await pty.waitFor(/:80 |port 80|80 {2}/);
  picture(pty, 'balancer', 'Skydeck: the ports and nodes of a NodeBalancer with their health');

  await goTo('tickets', /Disk latency/);
  await pty.press('/');
  await pty.type('latency');
  await pty.press('enter', 'enter');
  await pty.waitFor((text) => /Conversation/.test(text) && !text.includes('Reading') && text.includes('reply'));
  picture(pty, 'ticket', 'Skydeck: the conversation of a support ticket');

  await goTo('buckets', /sensor-archive/);
  await pty.press('enter');
  await pty.waitFor((text) => /Objects/.test(text) && /\d+ (K|M)iB/.test(text));
  picture(pty, 'objects', 'Skydeck: the objects of a bucket by prefix');
} finally {
  pty.kill('SIGTERM');
  await pty.exit;
  rmSync(home, { recursive: true, force: true });
}
