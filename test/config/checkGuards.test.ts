import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { checkGuards, configChecks } from '../../src/program/config/checks.ts';

/** The mistakes of a configuration with one guard, and whether that profile may be started. */
function mistakesIn(guard: string) {
  const { mistakes } = parseConfig(`[profiles.work]\n[[profiles.work.guards]]\n${guard}`, [checkGuards]);
  for (const { stops } of mistakes) expect(stops).toEqual({ profile: 'work' });
  return mistakes.map(({ says }) => says.replace('profiles.work.guards[1].', ''));
}

test('a guard of what there is has no mistake', () => {
  expect(
    mistakesIn('for = "servers"\nwhere = "tag:prod specs.gpus>1"\nactions = ["delete", "resize"]\ndeny = true'),
  ).toEqual([]);
  expect(mistakesIn('for = "server"\nactions = ["*"]\ndeny = true')).toEqual([]);
  expect(mistakesIn('where = "tag:prod"\nactions = ["delete"]\nat_most = 5')).toEqual([]);
  expect(mistakesIn('actions = ["Delete"]\nask = "label"')).toEqual([]);
});

test("a command of one's own can be guarded by its name", () => {
  const command = '[[commands]]\nname = "Power off"\nfor = "servers"\nrequest = { method = "POST", path = "/v4/x" }';
  expect(mistakesIn(`for = "servers"\nactions = ["Power off"]\ndeny = true\n${command}`)).toEqual([]);
});

test.each([
  [
    'for = "servers"\nwhere = "status:runing"',
    'can never hold: status is never runing; did you mean running? In quotes it is taken as it is: "runing".',
  ],
  ['for = "servers"\nwhere = "tag:prod watchdog:maybe"', 'can never hold: watchdog is never maybe; it is yes and no.'],
  [
    'for = "domains"\nwhere = "type:main|primary"',
    'can never hold: type is never main; it is master and slave. In quotes it is taken as it is: "main".',
  ],
  ['where = "status:runing"', 'can never hold: status is never runing; did you mean running?'],
  ['for = "servers"\nwhere = "status:runing|offline"', undefined],
  ['for = "servers"\nwhere = "!status:runing"', undefined],
  ['for = "servers"\nwhere = \'status:"suspended"\'', undefined],
  ['for = "servers"\nwhere = "watchdog:no status:RUNNING tag:x"', undefined],
  ['for = "volumes"\nwhere = "attached:none"', undefined],
])('a guard by %j can never hold: %s', (guard, says) => {
  const found = mistakesIn(`${guard}\nactions = ["delete"]\ndeny = true`);
  expect(found).toEqual(says === undefined ? [] : [expect.stringContaining(`where ${says}`)]);
});

test('a part of a filter that never holds is warned of, and leaves nothing out', () => {
  const source = [
    '[profiles.work]',
    '[[profiles.work.guards]]',
    'for = "servers"',
    'where = "status:runing|offline"',
    'actions = ["delete"]',
    'deny = true',
    '[[rules]]',
    'for = "records"',
    'where = "type:AA"',
    'severity = "notice"',
    'says = "{name}"',
    '[views.off]',
    'area = "servers"',
    'filter = "watchdog:oof"',
    '[views.list]',
    'area = "servers"',
    'filter = "label:a,b"',
  ];
  const { mistakes, warnings, config } = parseConfig(source.join('\n'), configChecks);
  expect(mistakes).toEqual([]);
  expect(Object.keys(config.views)).toEqual(['off', 'list']);
  expect(config.rules).toHaveLength(1);
  expect(warnings.map(({ says }) => says)).toEqual([
    'line 4: profiles.work.guards[1].where status is never runing; did you mean running? In quotes it is taken as it is: "runing".',
    'line 9: rules[1].where type is never AA; did you mean AAAA? In quotes it is taken as it is: "AA".',
    'line 14: views.off.filter watchdog is never oof; it is yes and no.',
    'line 17: views.list.filter Either of two values is status:running|offline.',
  ]);
});

test.each([
  ['for = "servrs"\nactions = ["*"]', 'line 3: for is "servrs", which is no area; did you mean servers?'],
  [
    'for = "regions"\nactions = ["*"]',
    'line 3: for is "regions", of which nothing can be changed, so there is nothing to guard.',
  ],
  [
    'for = "tags"\nactions = ["delet"]',
    'line 4: actions has "delet", which is no action of tags; did you mean delete? They are create, delete, or "*" for all.',
  ],
  ['actions = ["resiz"]', 'line 3: actions has "resiz", which is no action; did you mean resize?'],
  ['actions = ["*"]\nwhere = " "', 'line 4: where is empty; leave it out to guard all rows.'],
  [
    'actions = ["*"]\nfor = "tags"\nwhere = "prod colour:red"',
    'line 5: where is no filter of tags: there is no field colour; there are label, servers, volumes, domains, nodebalancers, total (at character 6, "colour:red").',
  ],
  [
    'actions = ["*"]\nfor = "servers"\nwhere = "tag:prod cpu>80"',
    'line 5: where is no filter of servers: cpu is read row by row, which no guard can wait for (at character 10, "cpu>80").',
  ],
  [
    'actions = ["*"]\nwhere = "/web"',
    'line 4: where is no filter of any area: the regular expression ends with a / (at its end).',
  ],
  [
    'actions = ["*"]\nwhere = "specs.gpus>1"',
    'line 4: where has the path specs.gpus, which rows of most areas do not have; name the area by for.',
  ],
])('%j is a mistake', (guard, says) => {
  expect(mistakesIn(`${guard}\ndeny = true`)).toEqual([says]);
});
