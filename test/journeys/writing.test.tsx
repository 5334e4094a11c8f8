import { expect, test } from 'vitest';
import { openSkydeck } from './skydeck.ts';

test('a ticket is written over several lines, mended in the middle, and sent as it stands', async () => {
  const skydeck = await openSkydeck({ place: { area: 'tickets' } });
  await skydeck.waitFor('Tickets');
  await skydeck.press('n');
  await skydeck.waitFor('── New ticket');
  await skydeck.fill('Summary', 'Slow disk');
  await skydeck.field('Description');
  await skydeck.waitFor(/enter new line +ctrl-s send +tab next +ctrl-a plan +ctrl-e editor/);
  await skydeck.type('Thanks, looking.');
  await skydeck.press('enter');
  await skydeck.type('Second line');
  await skydeck.press('up', 'home', 'delete');
  await skydeck.type('Many t');
  await skydeck.press('down', 'end');
  await skydeck.paste(', pasted\r\nwith 日本語\r\n');
  await skydeck.type('It is a long line that is wrapped between its words, not within one of them.');
  await skydeck.waitFor((text) => {
    const rows = text.split('\n').map((line) => line.slice(25).trimEnd());
    const first = rows.indexOf('Many thanks, looking.');
    return (
      rows.slice(first, first + 5).join('|') ===
      'Many thanks, looking.|Second line, pasted|with 日本語|It is a long line that is wrapped between its words,|not within one of them.'
    );
  });
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New ticket: Slow disk');
  expect(skydeck.changes.at(-1)?.body).toMatchObject({
    description:
      'Many thanks, looking.\nSecond line, pasted\nwith 日本語\nIt is a long line that is wrapped between its words, not within one of them.',
  });
});

test('in a small terminal the text scrolls, its place is told, and tab leaves it', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: { area: 'tickets' } });
  await skydeck.waitFor('Tickets');
  await skydeck.press('n');
  await skydeck.waitFor('── New ticket');
  await skydeck.field('Description');
  await skydeck.waitFor(/enter new line +ctrl-s send +tab next +esc close/);
  await skydeck.paste(Array.from({ length: 20 }, (_, index) => `row ${index + 1}`).join('\n'));
  await skydeck.waitFor(/Description \* +✓ line 20\/20\n +row 16\n[\s\S]*row 20/);
  await skydeck.press('pageUp', 'pageUp', 'pageUp', 'pageUp', 'up');
  await skydeck.waitFor(/Description \* +✓ line 1\/20\n {3}row 1\n/);
  await skydeck.press('down', 'down', 'end', 'enter');
  await skydeck.type('between');
  await skydeck.waitFor('line 4/21');
  await skydeck.press('tab');
  await skydeck.waitFor('❯ About');
  await skydeck.press('shift-tab');
  await skydeck.waitFor('line 21/21');
  await skydeck.press('down');
  await skydeck.waitFor('❯ About');
  await skydeck.press('up');
  await skydeck.waitFor('line 21/21');
  await skydeck.press(...Array.from({ length: 22 }, () => 'up'));
  await skydeck.waitFor('❯ Summary');
});

test('a private key is masked however many lines it has', async () => {
  const skydeck = await openSkydeck({ rows: 40, theme: 'mono', ascii: true, place: { area: 'buckets' } });
  await skydeck.waitFor(/> +assets/);
  await skydeck.press('a');
  await skydeck.waitFor('Upload a certificate');
  await skydeck.press('U');
  await skydeck.waitFor('-- Upload a certificate');
  await skydeck.field('Private key');
  await skydeck.paste('-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n');
  await skydeck.waitFor(`${'*'.repeat(27)}\n`);
  await skydeck.press('up', 'enter');
  await skydeck.type('top');
  await skydeck.waitFor(`${'*'.repeat(3)}\n`);
  expect(skydeck.bytes).not.toMatch(/c2VjcmV0|END PRIVATE|\btop\b/);
});

test('what cannot be seen is left out of a paste, with a word, and refused where the editor brings it', async () => {
  const skydeck = await openSkydeck({
    columns: 100,
    rows: 40,
    place: { area: 'tickets' },
    edit: async (text) => `${text}\necho \u001b[2J\u202e`,
  });
  await skydeck.waitFor('Tickets');
  await skydeck.press('n');
  await skydeck.waitFor('── New ticket');
  await skydeck.fill('Summary', '');
  await skydeck.paste('Slow\u001b[31m\tdisk\u202e');
  await skydeck.waitFor('Summary: 2 characters that cannot be seen were left out of the paste.');
  await skydeck.waitFor('✓ Slow disk');
  await skydeck.field('Description');
  await skydeck.paste('first\u0007\n\tsecond');
  await skydeck.waitFor('Description: one character that cannot be seen was left out of the paste.');
  await skydeck.press('ctrl-e');
  await skydeck.waitFor('echo ⟨ESC⟩[2J⟨RLO⟩');
  await skydeck.waitFor('Description has ⟨ESC⟩ at character 6 of line 3, which cannot be seen; take it out.');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('✗');
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('backspace', 'backspace', 'backspace', 'backspace', 'backspace');
  await skydeck.waitFor((text) => !text.includes('cannot be seen; take it out'));
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('New ticket: Slow disk');
  expect(skydeck.changes.at(-1)?.body).toMatchObject({ summary: 'Slow disk', description: 'first\n\tsecond\necho ' });
});
