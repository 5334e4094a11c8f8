import { describe, expect, it } from 'vitest';
import { type ConfigCheck, parseConfig } from '../../src/config/parseConfig.ts';

const whole = `
[profiles.work]
token_env = "T"
color = "blue"

[profiles.work.ssh]
run = ["ssh", "{user}@{address}"]
user = "root"
address = "private"
[[profiles.work.ssh.when]]
where = "tag:db"
user = "postgres"

[[profiles.work.guards]]
for = "servers"
where = "tag:prod"
actions = ["delete", "resize"]
deny = true
reason = "Production is changed by the pipeline."

[keys]
preset = "vim"
[keys.list]
refresh = "ctrl-r"
mark = ["space", "x"]
sort = ""

[views.production]
area = "servers"
filter = "tag:prod"
sort = "-cpu"
columns = ["label", { value = "specs.gpus", title = "GPUs", width = 5 }]

[[commands]]
name = "Reboot"
key = "B"
for = "servers"
request = { method = "POST", path = "/v4/server/instances/{id}/reboot" }

[[commands]]
name = "Trace"
for = "servers"
show = "pane"
changes = false
run = ["mtr", "{ipv4.0}"]

[[rules]]
for = "servers"
where = "tag:prod !status:running"
severity = "critical"
says = "{label} is {status}"

[[hooks]]
on = ["critical", "recovered"]
run = ["notify-send", "Skydeck"]
`;

const lineWith = (text: string) => whole.split('\n').findIndex((line) => line.includes(text)) + 1;

describe('a configuration', () => {
  it('is read whole', () => {
    const { config, mistakes } = parseConfig(whole);
    expect(mistakes).toEqual([]);
    expect(config.profiles.work).toMatchObject({ color: 'blue', ssh: { user: 'root', when: [{ where: 'tag:db' }] } });
    expect(config.profiles.work?.guards).toHaveLength(1);
    expect(config.keys).toEqual({ preset: 'vim', list: { refresh: 'ctrl-r', mark: ['space', 'x'], sort: '' } });
    expect(Object.keys(config.views)).toEqual(['production']);
    expect(config.commands.map(({ name }) => name)).toEqual(['Reboot', 'Trace']);
    expect([config.rules.length, config.hooks.length]).toEqual([1, 1]);
  });

  it('is empty without a file', () => {
    expect(parseConfig('')).toEqual({
      config: { profiles: {}, keys: {}, views: {}, commands: [], rules: [], hooks: [] },
      mistakes: [],
      warnings: [],
      tokenVariables: [],
    });
  });

  it.each([
    ['area = "servers"', '', 'views.production.area is missing', 'part'],
    ['key = "B"', 'key = "ctrl-b"', 'commands[1].key must be one letter or digit; it is "ctrl-b".', 'start'],
    ['show = "pane"', 'show = "window"', 'commands[2].show must be one of terminal, pane, notice', 'part'],
    ['severity = "critical"', 'severity = "bad"', 'rules[1].severity must be one of critical, warning, notice', 'part'],
    ['on = ["critical", "recovered"]', 'on = ["gone"]', 'hooks[1].on[1] must be one of critical, recovered', 'part'],
    ['deny = true', 'deny = "yes"', 'profiles.work.guards[1].deny must be true; it is "yes".', { profile: 'work' }],
    [
      'deny = true',
      'denny = true',
      'profiles.work.guards[1].denny is unknown; did you mean deny?',
      { profile: 'work' },
    ],
    [
      'deny = true',
      '',
      'profiles.work.guards[1] needs deny = true, ask = "label" or at_most = 5.',
      { profile: 'work' },
    ],
    ['preset = "vim"', 'preset = "emacs"', 'keys.preset must be one of default, vim, k9s, lazygit', 'part'],
    ['sort = ""', 'sort = 3', 'keys.list.sort must be a key like "ctrl-r"', 'part'],
    [
      '[views.production]',
      '[view.production]',
      'view is unknown; settings belong in [profiles.NAME]; did you mean views?',
      'start',
    ],
  ])('with %j changed to %j names line and key', (before, after, says, stops) => {
    const [mistake, ...others] = parseConfig(whole.replace(before, after)).mistakes;
    expect(others).toEqual([]);
    expect(mistake?.says).toContain(says);
    expect(mistake?.says).toBe(`line ${mistake?.line}: ${mistake?.says.split(': ').slice(1).join(': ')}`);
    expect(mistake?.stops).toEqual(stops);
    if (after !== '' && !says.includes('missing')) expect(mistake?.line).toBe(lineWith(before));
  });

  it('goes on without the part that has a mistake, and with all others', () => {
    const { config, mistakes } = parseConfig(
      whole.replace('show = "pane"', 'show = 1').replace('sort = ""', 'sort = 1'),
    );
    expect(mistakes).toHaveLength(2);
    expect(config.commands.map(({ name }) => name)).toEqual(['Reboot']);
    expect(config.keys).toEqual({ preset: 'vim', list: { refresh: 'ctrl-r', mark: ['space', 'x'] } });
    expect(config.profiles.work).toBeDefined();
  });

  it('is examined by further checks, whose complaints name the place in the file', () => {
    const unknown: ConfigCheck = ({ commands }, complain) => {
      for (const [index, command] of commands.entries())
        if (command.name === 'Trace') complain(['commands', index, 'for'], 'is no area');
    };
    // The first command is left out, so that the second is the first that the check sees.
    const { config, mistakes } = parseConfig(whole.replace('key = "B"', 'key = "BB"'), [unknown]);
    expect(mistakes.map(({ says }) => says)[1]).toBe(
      `line ${lineWith('name = "Trace"') + 1}: commands[2].for is no area.`,
    );
    expect(config.commands).toEqual([]);
  });
});
