/** Takes the pictures of the documentation: `npm run pictures` writes docs/*.svg, `npm run pictures -- fleet` only that one. */
import { writeFileSync } from 'node:fs';
import { openDemo, pictureOf, settled } from './demoTerminal.ts';

/** The size of every picture, in cells. */
const size = { columns: 130, rows: 34 };

const wanted = process.argv.slice(2);

const pty = await openDemo(size);

/** Takes a picture once the screen has settled, where it is wanted. */
async function picture(name: string, title: string): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  await settled(pty);
  writeFileSync(`docs/${name}.svg`, pictureOf(pty, `Skydeck: ${title}`));
}

/** Goes to an area by the palette, and waits until it shows a text. */
async function goTo(area: string, shown: Parameters<typeof pty.waitFor>[0]): Promise<void> {
  await pty.press(':');
  await pty.waitFor('Go to ─');
  await pty.type(area);
  await pty.press('enter');
  await pty.waitFor((text) => !text.includes('Go to ─'));
  await pty.waitFor(shown);
}

/** Puts the change of a form into the plan. */
async function plan(says: string): Promise<void> {
  await pty.waitFor('esc keep and close');
  await pty.press('ctrl-a');
  await pty.waitFor(says);
}

/** Whether the calls of the start are over; watching a job takes thirty calls a minute. */
const isQuiet = (text: string) => Number(/(\d+) calls?\/min/.exec(text)?.[1] ?? 99) < 60;

try {
  const parts = [/critical/, /Happening now {2}\d/, /40 of 40 measured/, /no ports/];
  await pty.waitFor((text) => parts.every((part) => part.test(text)) && isQuiet(text), { timeoutMs: 600_000 });
  await picture('home', 'what is wrong, what is happening, and the whole account at a glance');

  await goTo('servers', (text) => (text.match(/[▁-█]{8}/g)?.length ?? 0) >= 30);
  await picture('servers', 'the list of servers with their state and load');

  await pty.press('enter');
  await pty.waitFor('Graphs');
  await pty.press('2');
  await pty.waitFor(/[⠁-⣿]{4}/);
  await picture('graphs', 'the load of one server, with the threshold of its alert');

  await goTo('fleet', /40 of 40 known/);
  await picture('fleet', 'the load of every server over the last day, the worst first');

  await goTo('domains', /example\.com/);
  await pty.press('enter');
  await pty.waitFor(/_dmarc|TXT/);
  await pty.press('n');
  await pty.waitFor(/New record/);
  await pty.press('space');
  await pty.waitFor(/Target/);
  await picture('records', 'the records of a domain, and the form of a new one beside them');
  await pty.press('esc');
  await pty.waitFor((text) => !text.includes('New record'));

  await goTo('nodebalancers', /web-lb/);
  await pty.press('G', 'enter', '2');
  await pty.waitFor(/:80 |port 80|80 {2}/);
  await picture('balancer', 'the ports and nodes of a NodeBalancer with their health');

  await goTo('buckets', /sensor-archive/);
  await pty.press('enter');
  await pty.waitFor((text) => /Objects/.test(text) && /\d+ (K|M)iB/.test(text));
  await picture('objects', 'the objects of a bucket by prefix');

  await goTo('volumes', /archive-2023/);
  await pty.press('n');
  await pty.waitFor('── New volume');
  await pty.type('api-1-cache');
  await pty.press('down', 'ctrl-u');
  await pty.type('200');
  await pty.press('down', 'enter');
  await pty.waitFor('type to narrow');
  await pty.type('api-1');
  await pty.waitFor(/❯ api-1 /);
  await pty.press('enter');
  await plan('Step 1 is in the plan');
  await pty.press('e');
  await pty.waitFor('── Edit api-1-uploads');
  await pty.press('ctrl-u');
  await pty.type('api-1-old');
  await plan('Step 2 is in the plan');
  await goTo('servers', /❯.* api-1 /);
  await pty.press('a');
  await pty.waitFor('── Actions');
  await pty.press('Z');
  await pty.waitFor('── Resize');
  await pty.press('enter');
  await pty.waitFor('type to narrow');
  await pty.type('Standard 16');
  await pty.waitFor(/❯ Standard 16 GB/);
  await pty.press('enter');
  await plan('Step 3 is in the plan');
  await goTo('plan', /Plan {2}3 steps/);
  await picture('plan', 'changes that were collected, before they are carried out as one');
} finally {
  await pty.close();
}
