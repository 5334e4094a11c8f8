import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { actionsOfCommands } from '../../src/config/commandActions.ts';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { checkCommands } from '../../src/program/config/checkCommands.ts';
import { actionsOf, operationsOf, resourceNamed, setUserActions } from '../../src/resources/index.ts';
import { argvOf } from '../../src/resources/placeholders.ts';
import { type Action, emptyView, type Row } from '../../src/resources/resource.ts';
import { confirmationOf } from '../../src/screens/form/confirmation.ts';

const path = '/v4/server/instances/{id}/reboot';
const check = (lines: string) => parseConfig(lines, [checkCommands]);
const mistakes = (lines: string) => check(lines).mistakes.map(({ says }) => says);
const command = (lines: string) => `[[commands]]\nname = "Reboot"\nfor = "servers"\n${lines}`;
const reboot = command(`request = { method = "POST", path = "${path}" }`);

/** The action that a command becomes. */
function actionOf(lines: string, area = 'servers'): Action {
  const { config, mistakes } = check(lines);
  expect(mistakes).toEqual([]);
  const [action] = actionsOfCommands(config.commands).get(area) ?? [];
  if (!action) throw new Error('there is no action');
  return action;
}

const server: Row = {
  id: 7,
  label: 'web-1',
  ipv4: ['192.0.2.1'],
  ipv6: null,
  specs: { vcpus: 2 },
  image: 'server/arch',
};
const refusal = (action: Action, row: Row) => action.refuse?.(row, emptyView);

afterEach(() => setUserActions(actionOf, undefined));

test('the commands that are ready to be copied have no mistake', () => {
  const source = readFileSync(join(import.meta.dirname, '../../docs/commands.toml'), 'utf8');
  const { config, mistakes } = check(source);
  expect(mistakes).toEqual([]);
  const actions = actionsOfCommands(config.commands).get('servers') ?? [];
  expect(actions.map(({ name }) => name)).toEqual([
    'boot',
    'reboot',
    'rebuild-as-it-was',
    'clone',
    'show-the-console',
    'trace-the-route',
    'check-http',
    'clone-to',
  ]);
  expect(new Set(actions.map(({ key }) => key)).size).toBe(actions.length);
  for (const action of actions)
    expect(refusal(action, { ...server, region: 'us-east', type: 'small' })).toBeUndefined();
});

test('the words of a question about several rows are said once, whatever they name', () => {
  const asked = (ask: string, ...labels: string[]) => {
    const action = actionOf(`${reboot}\nask = "${ask}"`);
    const targets = labels.map((label, id) => ({ row: { ...server, id, label }, params: { serverId: String(id) } }));
    const submission = { resource: resourceNamed('servers'), action, targets, params: {}, draft: {} };
    return confirmationOf(submission, emptyView).sentences;
  };
  const down = '{label} is down until it has booted. Reboot it?';
  expect(asked(down, 'web-1')).toEqual(['web-1 is down until it has booted. Reboot it?']);
  expect(asked(down, 'web-1', 'web-2')).toEqual([
    'web-1 is down until it has booted. Reboot it? The same is asked about the other one.',
  ]);
  expect(asked(down, 'web-1', 'web-2', 'web-3')).toEqual([
    'web-1 is down until it has booted. Reboot it? The same is asked about the 2 others.',
  ]);
  expect(asked('Reboot now?', 'web-1', 'web-2')).toEqual(['Reboot now?']);
});

describe('a mistake in a command', () => {
  test.each([
    [
      'an unknown area',
      reboot.replace('"servers"', '"servrs"'),
      'line 3: commands[1].for is no area with rows of the API; did you mean servers?',
    ],
    [
      'rows of the program',
      reboot.replace('"servers"', '"problems"'),
      'line 3: commands[1].for is no area with rows of the API.',
    ],
    [
      'a name of ours',
      reboot.replace('"Reboot"', '"Resize"'),
      'line 2: commands[1].name is that of an action of servers already.',
    ],
    [
      'a name without letters',
      reboot.replace('"Reboot"', '"!?"'),
      'line 2: commands[1].name must have a letter or a digit.',
    ],
    [
      'destroying without a question',
      `${reboot}\nask = false\ndestroys = true`,
      /commands\[1\]\.ask cannot be false where it destroys/,
    ],
    [
      'destroying nothing',
      `${reboot}\nchanges = false\ndestroys = true`,
      /commands\[1\]\.destroys cannot be true where it changes nothing/,
    ],
    ['a key of ours', `${reboot}\nkey = "z"`, /^line 5: commands\[1\]\.key is that of "Resize"; free are A C /],
    [
      'a part of the path',
      reboot.replace('reboot"', '../x"'),
      'line 4: commands[1].request.path has the part ".."; parts are letters, digits, - _ . ~ and placeholders in braces.',
    ],
    ['an empty part', reboot.replace('/reboot"', '//reboot"'), /has the part ""; parts are letters/],
    ['a query', reboot.replace('reboot"', 'reboot?force=1"'), /has the part "reboot\?force=1"; parts are letters/],
    ['an encoded part', reboot.replace('reboot"', '%2e%2e"'), /has the part "%2e%2e"; parts are letters/],
    [
      'another API',
      reboot.replace('/v4/server', '/v3/server'),
      /must be a path like \/v4\/server\/instances\/\{id\}\/reboot/,
    ],
    [
      'a misspelt placeholder',
      reboot.replace('{id}', '{lable}'),
      'line 4: commands[1].request.path has {lable}; did you mean {label}?',
    ],
    [
      'no placeholder',
      command('run = ["echo", "{a b}"]'),
      'line 4: commands[1].run[2] has {a b}, which is no path of a row such as {label} or {ipv4.0}; {{ is a brace itself.',
    ],
    [
      'a program of the API',
      command('run = ["{label}"]'),
      'line 4: commands[1].run[1] must name the program itself; what comes from the API may only be an argument.',
    ],
    [
      'a body in a GET',
      command(`request = { method = "GET", path = "${path}", body = { a = 1 } }`),
      'line 4: commands[1].request.body has no place in a GET request.',
    ],
    [
      'a GET that changes',
      command(`changes = true\nrequest = { method = "GET", path = "${path}" }`),
      'line 4: commands[1].changes must be false: a GET request changes nothing.',
    ],
    [
      'a POST that does not',
      `${reboot}\nchanges = false`,
      'line 5: commands[1].changes cannot be false with POST, which changes something.',
    ],
    [
      'a question with a misspelt placeholder',
      `${reboot}\nask = "Reboot {statsu}?"`,
      'line 5: commands[1].ask has {statsu}; did you mean {status}?',
    ],
  ])('%s', (_, lines, says) => {
    expect(mistakes(lines)).toEqual([typeof says === 'string' ? says : expect.stringMatching(says)]);
  });

  const asks = (fields: string, body = 'way = "{way}"') =>
    `${command(`ask = [${fields}]`)}\nrequest = { method = "POST", path = "${path}", body = { ${body} } }`;
  const way = '{ name = "way", kind = "choice", options = ["cold", "warm"] }';

  test.each([
    [
      'a kind that there is not',
      asks(way.replace('choice', 'choise')),
      'line 4: commands[1].ask[1].kind must be one of text, number, choice, row; it is "choise"; did you mean choice?',
    ],
    ['no kind', asks('{ name = "way" }'), 'line 4: commands[1].ask[1].kind is missing.'],
    [
      'a choice without options',
      asks('{ name = "way", kind = "choice" }'),
      'line 4: commands[1].ask[1].options is missing.',
    ],
    [
      'options of a text',
      asks(way.replace('choice', 'text')),
      'line 4: commands[1].ask[1].options is unknown. The keys are name, kind, title, matches, min, max.',
    ],
    [
      'rows of an area that has no list',
      asks('{ name = "way", kind = "row", of = "disks" }'),
      'line 4: commands[1].ask[1].of is "disks", which has no list of its own to choose from.',
    ],
    [
      'rows of no area',
      asks('{ name = "way", kind = "row", of = "regionz" }'),
      'line 4: commands[1].ask[1].of is no area; did you mean regions?',
    ],
    [
      'no regular expression',
      asks('{ name = "way", kind = "text", matches = "[" }'),
      'line 4: commands[1].ask[1].matches is no regular expression: Unterminated character class.',
    ],
    [
      'limits that leave nothing',
      asks('{ name = "way", kind = "number", min = 3, max = 2 }'),
      'line 4: commands[1].ask[1].max must not be below min.',
    ],
    [
      'what no placeholder takes',
      asks(`${way}, { name = "size", kind = "number" }`),
      'line 4: commands[1].ask[2].name is asked for in vain: no part of request has {size}.',
    ],
    [
      'what is asked for twice',
      asks(`${way}, { name = "way", kind = "text" }`),
      'line 4: commands[1].ask[2].name is asked for already; choose another name.',
    ],
    [
      'the name of the row itself',
      asks(`${way}, { name = "id", kind = "text" }`),
      'line 4: commands[1].ask[2].name names the server itself; choose another name.',
    ],
    [
      'a placeholder that nothing asks for and no row has',
      asks(way, 'way = "{way}", x = "{flavour}"'),
      'line 5: commands[1].request.body has {flavour}, which nothing asks for and no server is known to have.',
    ],
    [
      'a part of what is asked for',
      asks(way, 'way = "{way}", x = "{way.id}"'),
      'line 5: commands[1].request.body has {way.id}; what is asked for is {way}.',
    ],
    ['two questions', asks(`"A?", "B?", ${way}`), 'line 4: commands[1].ask must have one question at most.'],
    [
      'neither a question nor a field',
      asks(`${way}, 7`),
      /^line 4: commands\[1\]\.ask\[2\] must be a question or a table like \{ name = "region".*; it is 7\.$/,
    ],
  ])('that asks: %s', (_, lines, says) => {
    expect(mistakes(lines)).toEqual([typeof says === 'string' ? says : expect.stringMatching(says)]);
  });

  test('two of one name or key', () => {
    const twice = `${reboot}\nkey = "x"\n${reboot.replace('Reboot', 'Reboot!')}\nkey = "X"`;
    expect(mistakes(twice)).toEqual([
      'line 7: commands[2].name is that of another command for servers.',
      'line 10: commands[2].key is that of another command for servers.',
    ]);
  });

  test('in one that changes something stops the start; in another leaves only it out', () => {
    expect(check(reboot.replace('"servers"', '"x"')).mistakes).toMatchObject([{ stops: 'start' }]);
    const harmless = check(
      `${command('changes = false\nrun = ["echo", "{lable}"]')}\n${reboot.replace('Reboot', 'Other')}`,
    );
    expect(harmless.mistakes).toMatchObject([{ stops: 'part' }]);
    expect(harmless.config.commands.map(({ name }) => name)).toEqual(['Other']);
  });
});

describe('a request', () => {
  test('is an action with the parameter that ours have, beyond the documents unless they have it', () => {
    const action = actionOf(reboot);
    expect(action).toMatchObject({ name: 'reboot', help: 'Reboot', undocumented: true });
    expect(action.path).toBe(path.replace('{id}', '{serverId}'));
    expect(actionOf(reboot.replace('reboot"', 'shutdown"')).undocumented).toBeUndefined();
  });

  test('has a letter of its name that is free', () => {
    expect(actionOf(reboot).key).toBe('o');
    const { config } = check(`${reboot}\n${reboot.replace('Reboot', 'Boot')}\nkey = "o"`);
    expect(
      actionsOfCommands(config.commands)
        .get('servers')
        ?.map(({ key }) => key),
    ).toEqual(['a', 'o']);
  });

  test('fills in path and body, each value as what it is', () => {
    const action = actionOf(
      command(
        `request = { method = "POST", path = "/v4/images/{image}/x-{label}", body = { id = "{id}", name = "{label} of {specs.vcpus}", all = [true, "{ipv4.0}"] } }`,
      ),
    );
    expect(action.fills?.({ ...server, image: 'arch' }, {})).toEqual({ image: 'arch', 'x-{label}': 'x-web-1' });
    expect(action.send?.({}, {}, server)).toEqual({ id: 7, name: 'web-1 of 2', all: [true, '192.0.2.1'] });
    expect(refusal(action, server)).toBe('image of web-1 has a slash, which no part of a path can have');
    expect(refusal(action, { ...server, image: '..' })).toBe('image of web-1 is no part of a path');
    expect(refusal(action, { ...server, image: '' })).toBe('web-1 has no image, and {image} needs it');
    expect(refusal(action, { ...server, image: 'a', ipv4: [] })).toBe('web-1 has no ipv4.0, and {ipv4.0} needs it');
    expect(refusal(action, { ...server, image: 'a', label: 'a\nb' })).toMatch(/^label of a\nb has control characters/);
  });

  test('reaches rows below another, whose id is no part of them', () => {
    const disk = `[[commands]]\nname = "Clone"\nfor = "disks"\nrequest = { method = "POST", path = "/v4/server/instances/{serverId}/disks/{id}/clone" }`;
    const action = actionOf(disk, 'disks');
    expect(refusal(action, { id: 3, label: 'Swap' })).toBeUndefined();
    expect(action.path).toBe('/v4/server/instances/{serverId}/disks/{diskId}/clone');
  });

  test('asks by default, in its own words or not at all', () => {
    const question = (action: Action) => {
      const { ask } = action;
      return ask
        ? { ...ask, question: typeof ask.question === 'function' && ask.question(server, emptyView, {}, {}) }
        : ask;
    };
    expect(question(actionOf(reboot))).toMatchObject({ question: `Sends POST ${path} for web-1.` });
    expect(question(actionOf(`${reboot}\nask = "Is {label} to go down?"`))).toEqual({
      question: 'Is web-1 to go down?',
      together: expect.any(Function),
    });
    expect(question(actionOf(`${reboot}\nask = false`))).toBe(false);
    const removal = actionOf(command(`request = { method = "DELETE", path = "${path}" }`));
    expect(removal.ask).toMatchObject({ warning: expect.any(Function) });
  });
});

describe('a program', () => {
  const vector = (run: string, row: Row) => {
    const { program } = actionOf(command(`run = ${run}`));
    return program && argvOf(program, row, String(row.label));
  };

  test('gets whole arguments and parts of them, whatever they hold', () => {
    const row = { ...server, label: 'a b; rm -rf "$HOME"' };
    expect(vector('["sh", "{label}", "--at={ipv4.0}:{specs.vcpus}", "%{{http_code}}"]', row)).toEqual({
      argv: ['sh', 'a b; rm -rf "$HOME"', '--at=192.0.2.1:2', '%{http_code}'],
    });
  });

  test.each([
    ['a missing value', '["mtr", "{ipv6}"]', {}, 'web-1 has no ipv6, and {ipv6} needs it'],
    [
      'a field that is no value',
      '["mtr", "{constructor}"]',
      {},
      'web-1 has no constructor, and {constructor} needs it',
    ],
    ['a list', '["mtr", "{ipv4}"]', {}, 'ipv4 of web-1 is a list; write {ipv4.0}'],
    ['parts', '["mtr", "{specs}"]', {}, 'specs of web-1 has parts; name one of them'],
    [
      'an option',
      '["mtr", "{group}"]',
      { group: '--help' },
      'group of web-1 begins with a dash, which the program would take for an option; put "--" before it',
    ],
    ['a zero byte', '["mtr", "{group}"]', { group: 'a\0b' }, 'group of web-1 has control characters'],
    ['an escape sequence', '["mtr", "x{group}"]', { group: '\x1b[2J' }, 'group of web-1 has control characters'],
  ])('is refused for %s', (_, run, more, wrong) => {
    expect(vector(run, { ...server, ...more })).toEqual({ wrong });
    expect(refusal(actionOf(command(`run = ${run}`)), { ...server, ...more })).toBe(wrong);
  });

  test('takes what looks like an option behind the end of its options, or within an argument', () => {
    const row = { ...server, group: '-x' };
    expect(vector('["mtr", "--", "{group}"]', row)).toEqual({ argv: ['mtr', '--', '-x'] });
    expect(vector('["mtr", "--name={group}"]', row)).toEqual({ argv: ['mtr', '--name=-x'] });
  });
});

test('own actions are beside ours while they are set, and no operation of the API becomes known by them', () => {
  const servers = resourceNamed('servers');
  const before = actionsOf(servers).length;
  const operations = operationsOf(servers).length;
  setUserActions(actionOf, actionsOfCommands(check(reboot).config.commands));
  expect(actionsOf(servers)).toHaveLength(before + 1);
  expect(operationsOf(servers)).toHaveLength(operations);
  // Read again, as by a reload: what is set has not taken the name or the key.
  expect(mistakes(`${reboot}\nkey = "o"`)).toEqual([]);
  expect(actionOf(reboot).key).toBe('o');
  setUserActions(actionOf, undefined);
  expect(actionsOf(servers)).toHaveLength(before);
});
