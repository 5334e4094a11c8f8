import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { configChecks } from '../../src/program/config/checks.ts';

const check = (lines: string) =>
  parseConfig(`[profiles.work]\n[[hooks]]\non = ["critical"]\nrun = ["true"]\n${lines}`, configChecks);

test('a hook may be about rows and accounts', () => {
  const { mistakes, warnings } = check('for = "servers"\nwhere = "tag:prod"\nprofile = ["work"]');
  expect([...mistakes, ...warnings]).toEqual([]);
});

test.each([
  ['for = "serverz"', 'line 5: hooks[1].for is no area with rows of the API; did you mean servers?'],
  ['for = "problems"', 'line 5: hooks[1].for is no area with rows of the API.'],
  ['where = "web"', 'line 5: hooks[1].where needs for, the area whose rows it is asked about.'],
  ['for = "servers"\nwhere = " "', 'line 6: hooks[1].where is empty, and finds every row; leave it out.'],
  [
    'for = "servers"\nwhere = "lable:x"',
    /^line 6: hooks\[1\]\.where is no filter of servers: .*did you mean label\?.* \(at character 1, "lable:x"\)\.$/,
  ],
  [
    'for = "servers"\nwhere = "cpu>80"',
    'line 6: hooks[1].where is no filter of a hook: cpu is read row by row, which no hook can wait for.',
  ],
  ['profile = ["wrok"]', 'line 5: hooks[1].profile[1] is no profile; did you mean work?'],
  ['profile = "work"', 'line 5: hooks[1].profile must be a list of texts like ["work"]; it is "work".'],
])('a mistake is told with line and rule: %j', (lines, says) => {
  expect(check(lines).mistakes.map((one) => one.says)).toEqual([
    typeof says === 'string' ? says : expect.stringMatching(says),
  ]);
});

test('a filter that hardly finds anything is warned of', () => {
  expect(check('for = "servers"\nwhere = "status:runing"').warnings.map(({ says }) => says)).toEqual([
    expect.stringMatching(/^line 6: hooks\[1\]\.where /),
  ]);
});
