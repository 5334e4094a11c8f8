/**
 * Prints a screen of the built program on the demo API:
 * `npm run --silent frame -- PLACE [--size 120x40] [--keys a,down,enter] [--svg]`.
 * PLACE is an area of the command line, home by default; each key is pressed when the screen has settled.
 */
import { parseArgs } from 'node:util';
import { openDemo, pictureOf, settled } from './demoTerminal.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '120x40' },
    keys: { type: 'string' },
    svg: { type: 'boolean', default: false },
  },
});
const [, columns, rows] = /^(\d+)x(\d+)$/.exec(values.size) ?? [];
if (!columns || !rows) throw new Error(`--size is columns and rows, such as 120x40; it is ${values.size}`);

const pty = await openDemo({ columns: Number(columns), rows: Number(rows) }, positionals);
try {
  await pty.waitFor(/\S/, { timeoutMs: 60_000 });
  await settled(pty);
  for (const key of values.keys?.split(',') ?? []) {
    await pty.press(key);
    await settled(pty);
  }
  process.stdout.write(
    values.svg ? pictureOf(pty, `Skydeck: ${positionals[0] ?? 'home'}`) : `${pty.text().trimEnd()}\n`,
  );
} finally {
  await pty.close();
}
