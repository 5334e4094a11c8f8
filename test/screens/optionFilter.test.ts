import { describe, expect, test } from 'vitest';
import { timerField } from '../../src/resources/networking/timers.ts';
import { roundedText } from '../../src/resources/verdict.ts';
import { filterOptions, typedNumber } from '../../src/screens/form/picker.tsx';
import type { MenuItem } from '../../src/screens/menus/Menu.tsx';

const run = () => undefined;
const item = (label: string, detail?: string): MenuItem => ({ id: label, label, detail, run });
const shown = (items: readonly MenuItem[]) =>
  items.map(({ label, refusal }) => (refusal === undefined ? label : `${label} ${refusal}`));

describe('a choice of seconds', () => {
  const timer = timerField('TTL', 'the default', '');
  const items = (timer.options ?? []).map((option) => item(option, timer.optionHelp?.[option]));
  const typed = (text: string) => shown(filterOptions(items, text, typedNumber(timer, text)));

  test.each([
    ['300', ['300']],
    ['0', ['0']],
    ['5m', ['300']],
    ['5 min', ['300']],
    ['300s', ['300']],
    ['1h', ['3600']],
    ['1d', ['86400']],
    ['36', ['3600']],
    ['week', ['604800', '1209600', '2419200']],
    ['10m', ['10m is not offered; the nearest: 300 (5 minutes), 3600 (1 hour)', '300', '3600']],
    ['600', ['600 is not offered; the nearest: 300 (5 minutes), 3600 (1 hour)', '300', '3600']],
    ['9w', ['9w is not offered; the nearest: 2419200 (4 weeks)', '2419200']],
  ])('%s means %j', (text, expected) => expect(typed(text)).toEqual(expected));
});

test('what the API would make of a number that is not offered is said as well', () => {
  const timer = timerField('TTL', 'the default', '');
  const items = (timer.options ?? []).map((option) => item(option, timer.optionHelp?.[option]));
  const [first] = shown(filterOptions(items, '2600', 2600, roundedText(timer, 2600)));
  expect(first).toBe(
    '2600 is not offered; the nearest: 300 (5 minutes), 3600 (1 hour); the API would make 3600 of 2600',
  );
});

describe('rows', () => {
  const items = [item('us-west'), item('us-east', 'Newark'), item('eu-west', 'London'), item('east', 'my region')];
  const typed = (text: string) => shown(filterOptions(items, text));

  test.each([
    ['', ['us-west', 'us-east', 'eu-west', 'east']],
    ['US', ['us-west', 'us-east']],
    ['east', ['east', 'us-east']],
    ['lon', ['eu-west']],
    ['us,new', ['us-east']],
    ['us new', ['us-east']],
    ['myreg', ['east']],
    ['us-esat', ['us-esat is not offered; the nearest: us-east', 'us-east']],
    ['xyz', ['xyz is not offered']],
  ])('%s means %j', (text, expected) => expect(typed(text)).toEqual(expected));

  test('where nothing is offered, nothing is refused either', () => expect(filterOptions([], 'x')).toEqual([]));
});

test('words that stand in a label as they were typed come before those scattered over the line', () => {
  const types = [
    item('Nanode 1 GB', '$5.00  1 vCPU  1 GiB  25 GiB'),
    item('Standard 2 GB', '$12.00  1 vCPU  2 GiB  50 GiB'),
    item('Standard 8 GB', '$48.00  4 vCPU  8 GiB  160 GiB'),
    item('High Memory 48 GB', '$120.00  2 vCPU  48 GiB  40 GiB'),
  ];
  expect(shown(filterOptions(types, '2 gb'))[0]).toBe('Standard 2 GB');
  expect(shown(filterOptions(types, '8 gb'))).toEqual(['Standard 8 GB', 'High Memory 48 GB']);
  expect(shown(filterOptions(types.toReversed(), '8 gb'))[0]).toBe('Standard 8 GB');
});

test('where none matches, labels with the letters in their order are nearer than those that begin alike', () => {
  const offered = ['Debian 10', 'Debian 11', 'Debian 12', 'Standard 2 GB', 'Standard 8 GB'].map((label) => item(label));
  const typed = (text: string) => shown(filterOptions(offered, text));
  expect(typed('deb12')).toEqual(['deb12 is not offered; the nearest: Debian 12', 'Debian 12']);
  expect(typed('std 8')).toEqual(['std 8 is not offered; the nearest: Standard 8 GB', 'Standard 8 GB']);
});
