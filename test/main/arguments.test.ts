import { describe, expect, it } from 'vitest';
import { themeNames } from '../../src/components/theme.ts';
import { themes } from '../../src/config/settingRules.ts';
import { areas } from '../../src/program/areas.ts';
import { parseArguments } from '../../src/program/arguments.ts';
import { commandNamed, commandNames, dnsTopics } from '../../src/program/commandLine/commands.ts';
import { help, helpOf } from '../../src/program/commandLine/help.ts';
import { UsageError } from '../../src/program/rules.ts';
import { resources } from '../../src/resources/index.ts';

const parse = (line: string) => parseArguments(line.split(' ').filter(Boolean));

function refusal(line: string): string {
  try {
    parse(line);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error(`"${line}" was accepted`);
}

describe('the command line', () => {
  it('opens home without arguments, with nothing decided', () => {
    expect(parse('')).toMatchObject({ command: 'dashboard', target: undefined, format: 'text' });
    expect(parse('').options).toEqual({});
  });

  it('reads every option', () => {
    expect(
      parse(
        'volumes --base-url=https://api.example.com/eu --profile work --config c.toml --read-only --refresh 2.5 --theme light --ascii --no-color --log-file l.jsonl',
      ),
    ).toMatchObject({
      command: 'dashboard',
      target: { area: 'volumes' },
      options: {
        baseUrl: 'https://api.example.com/eu',
        profile: 'work',
        config: 'c.toml',
        readOnly: true,
        refresh: 2.5,
        theme: 'light',
        ascii: true,
        noColor: true,
        logFile: 'l.jsonl',
      },
    });
  });

  it('reads the options of the demo with --demo and with demo-api', () => {
    const demo = { servers: 10_000, latencyMs: 150, faults: ['errors:0.2', 'drops'], seed: 7 };
    const flags = '--servers 10000 --latency 150 --faults errors:0.2,drops --seed 7';
    expect(parse(`--demo ${flags}`)).toMatchObject({ command: 'dashboard', demo });
    expect(parse(`demo-api --port 0 ${flags}`)).toMatchObject({ command: 'demo-api', options: { port: 0 }, demo });
  });

  it('reads the boards of snapshot, and which catalogue it reads whole', () => {
    for (const area of ['home', 'problems', 'activity', 'managed', 'fleet'])
      expect(parse(`snapshot ${area}`)).toEqual(
        expect.objectContaining({ target: { area, id: undefined }, options: {} }),
      );
    expect(parse('snapshot scripts --all')).toMatchObject({ target: { area: 'stackscripts' }, options: { all: true } });
  });

  it('reads the options of snapshot', () => {
    expect(parse('snapshot servers --format csv --fail-on problem')).toMatchObject({
      command: 'snapshot',
      target: { area: 'servers' },
      format: 'csv',
      options: { failOn: 'problem' },
    });
  });

  it('reads the boards and options of watch', () => {
    expect(parse('watch')).toMatchObject({ command: 'watch', boards: undefined, options: {} });
    expect(parse('watch Problems servers --every 3600 --bell --notify --demo --refresh 30')).toMatchObject({
      command: 'watch',
      options: { demo: true, refresh: 30, every: 3600, bell: true, notify: true },
      boards: ['problems', 'servers'],
    });
  });

  it.each([
    ['home', { area: 'home' }],
    ['Fleet', { area: 'fleet' }],
    ['problems', { area: 'problems' }],
    ['vol', { area: 'volumes' }],
    ['Volumes', { area: 'volumes' }],
    ['volumes/12', { area: 'volumes', id: '12' }],
    ['tags/prod', { area: 'tags', id: 'prod' }],
    ['images/private/12', { area: 'images', id: 'private/12' }],
  ])('opens %s', (word, target) => {
    expect(parse(word).target).toEqual(target);
  });

  it('opens every area by its name and by its aliases', () => {
    for (const { name, aliases = [] } of areas) {
      for (const word of [name, ...aliases]) expect(parse(word).target).toEqual({ area: name, id: undefined });
    }
  });

  it.each([
    ['journal', { area: 'audit' }],
    ['money', { area: 'costs' }],
    ['running', { area: 'audit', section: 'Running' }],
    ['Messages', { area: 'audit', section: 'Messages' }],
    ['changed', { area: 'audit', section: 'Changed meanwhile' }],
    ['changes', { area: 'audit', section: 'Sent from here' }],
  ])('%s is a place of the program itself', (word, target) => expect(parse(word).target).toEqual(target));

  it.each([
    ['--help', undefined],
    ['-h', undefined],
    ['help', undefined],
    ['servers --help', undefined],
    ['snapshot --help', 'snapshot'],
    ['ssh web-1 -h', 'ssh'],
    ['help ssh', 'ssh'],
  ])('answers %s with help', (line, helpOf) => {
    expect(parse(line)).toMatchObject({ command: 'help', helpOf });
  });

  it('takes --help behind -- for a word of the command that runs there', () => {
    expect(parse('ssh web-1 -- ls --help')).toMatchObject({ login: { command: ['ls', '--help'] } });
  });

  it.each(['--version', '-v', '-V', 'version'])('answers %s', (line) => {
    expect(parse(line).command).toBe('version');
  });

  it.each([
    ['--reed-only', 'There is no option --reed-only; did you mean --read-only?'],
    ['--secrt', 'There is no option --secrt; did you mean --secret or --sort?'],
    ['--prof', 'There is no option --prof; did you mean --profile, --from or --port?'],
    ['help shh', 'skydeck help does not know "shh"; did you mean ssh'],
    ['help ssh doctor', 'Only one command has its help; leave out "doctor".'],
    ['help --demo', 'skydeck help takes no --demo.'],
    ['servrs', 'There is no area or command "servrs"; did you mean servers, server or '],
    ['--xyzzyx', 'There is no option --xyzzyx. The options are --help, --version, --demo, '],
    ['-q', 'There is no option -q. The options are '],
    ['--token abc', 'A token is never an option, because'],
    ['--token=abc', 'set SKYDECK_TOKEN'],
    ['--demo=yes', '--demo takes no value, so leave off "yes".'],
    ['--theme', '--theme needs a value after it.'],
    ['--theme --ascii', '--theme needs a value after it.'],
    ['--theme=', '--theme needs a value after it.'],
    ['--theme drak', '--theme must be one of dark, light, high-contrast, mono; it is "drak".'],
    ['--refresh 0', '--refresh must be a number of seconds from 1 to 3600; it is 0.'],
    ['--refresh 3601', '--refresh must be a number of seconds from 1 to 3600; it is 3601.'],
    ['--refresh often', '--refresh must be a number of seconds from 1 to 3600; it is "often".'],
    ['--base-url example.com', '--base-url must be an address like https://api.example.com; it is "example.com".'],
    ['--base-url ftp://example.com', '--base-url must be an address like'],
    ['--base-url https://example.com/v4', '--base-url must end before /v4, which is added to it; it is'],
    ['--base-url https://u:p@example.com', 'without a user or password in it.'],
    ['--base-url https://example.com/?a=1', 'without ? or #; it is'],
    ['snapshot --format xml', '--format xml is no format; skydeck snapshot has text, json, jsonl, csv and tsv.'],
    [
      'export servers',
      'skydeck export needs --format; it has terraform-import, ansible, prometheus, ssh-config, zone, csv and json.',
    ],
    [
      'export --format foo',
      '--format foo is no format; skydeck export has terraform-import, ansible, prometheus, ssh-config, zone, csv and json.',
    ],
    [
      'export --format tsv',
      '--format tsv works only with skydeck snapshot; skydeck export has terraform-import, ansible, prometheus, ssh-config, zone, csv and json.',
    ],
    ['export volumes/12 --format csv', 'skydeck export has whole areas, such as volumes; narrow it by --filter.'],
    ['export --format csv', '--format csv needs an area, as in skydeck export servers.'],
    [
      'export --format terraform-import --filter tag:web',
      '--filter needs the area that it narrows; name it, as in skydeck export servers.',
    ],
    ['export --format zone --provider-prefix acme', '--provider-prefix works only with --format terraform-import.'],
    [
      'export --format terraform-import --provider-prefix A-1',
      '--provider-prefix must be lower-case letters, digits and _, as it stands before _instance.',
    ],
    ['export --format ansible --sort label', '--sort works only with skydeck snapshot.'],
    ['snapshot volumes --all', '--all works only with skydeck snapshot stackscripts'],
    ['snapshot --refresh 5', '--refresh works only with a full screen'],
    ['--colors 8', '--colors must be one of 16, 256, truecolor; it is "8".'],
    ['snapshot --colors 16', '--colors works only with a full screen'],
    ['snapshot --theme dark', '--theme works only with a full screen'],
    ['snapshot --format csv --ascii', '--ascii works only with --format text'],
    ['snapshot problms', 'did you mean problems?'],
    ['snapshot managed/1', 'managed has no rows, so nothing can follow it.'],
    [
      'snapshot nothing',
      'The areas are home, problems, activity, managed, fleet, costs, accounts, journal, audit, requests, servers,',
    ],
    ['stackscripts --all', '--all works only with skydeck snapshot.'],
    ['snapshot --fail-on warning', '--fail-on must be one of problem, critical; it is "warning".'],
    ['--format json', '--format works only with skydeck snapshot, skydeck export and skydeck plan show.'],
    [
      'watch server',
      'There is no board "server"; did you mean servers? The boards are home, problems, servers, fleet, nodebalancers, managed, activity, big.',
    ],
    ['watch home volumes', 'There is no board "volumes". The boards are home, '],
    ['watch --every 2', '--every must be a whole number of seconds from 3 to 3600; it is "2".'],
    ['watch --every 3601', '--every must be a whole number of seconds from 3 to 3600; it is "3601".'],
    ['watch --format json', '--format works only with skydeck snapshot, skydeck export and skydeck plan show.'],
    ['--bell', '--bell works only with skydeck watch.'],
    ['servers --notify', '--notify works only with skydeck watch.'],
    ['snapshot --mouse', '--mouse works only with a full screen.'],
    ['snapshot --every 5', '--every works only with skydeck watch.'],
    ['--port 80', '--port works only with skydeck demo-api.'],
    ['--servers 5', '--servers works only with --demo or skydeck demo-api.'],
    ['demo-api --port 65536', '--port must be a whole number from 0 to 65535; it is "65536".'],
    ['demo-api --servers 20001', '--servers must be a whole number from 0 to 20000; it is "20001".'],
    ['demo-api --latency 1.5', '--latency must be a whole number of milliseconds from 0 to 60000; it is "1.5".'],
    [
      'demo-api --faults rain',
      '--faults must be a list with commas of errors, unavailable, limits, busy, drops, hangs, pages, truncated, redirects, revoked, skew, colleague',
    ],
    ['demo-api --faults errors:2', '"errors:2" is not.'],
    ['demo-api --theme dark', 'skydeck demo-api takes no --theme; its options are --port, --servers,'],
    ['demo-api servers', 'skydeck demo-api takes no area; leave out "servers".'],
    ['doctor servers', 'skydeck doctor takes no area'],
    ['--demo --base-url https://a.example', '--demo brings its own API and needs no --base-url'],
    ['--demo --profile work', '--demo brings its own API and needs no --profile'],
    ['volumes servers', 'Only one area can be opened; leave out "servers".'],
    [
      'volums',
      `There is no area or command "volums"; did you mean volumes or volume? The areas are home, fleet, accounts, problems, costs, requests, audit, ${resources[0]?.name}, ${resources[1]?.name},`,
    ],
    ['snapshto', 'did you mean snapshot?'],
    ['qwertyuiop', 'There is no area or command "qwertyuiop". The areas are home, '],
    ['volumes/', '"volumes/" ends where an id should follow; leave off the / to open the area.'],
    ['home/1', 'home has no rows, so nothing can follow it.'],
    ['configs', 'belong to servers; open servers and go on from there.'],
  ])('refuses %s', (line, says) => {
    expect(refusal(line)).toContain(says);
  });

  it('says one sentence without control characters, whatever was typed', () => {
    const says = refusal('\x1b[31mred\x9b2J\u202e');
    expect(says).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
  });

  it('knows the themes that there are', () => {
    expect(themes).toEqual(themeNames);
  });
});

describe('the help', () => {
  const lines = help.trimEnd().split('\n');

  it('fits on a screen of 80×24 with a prompt below it', () => {
    expect(lines.length).toBeLessThanOrEqual(23);
    for (const line of lines) expect(line.length).toBeLessThan(80);
  });

  it('names every task of dns in its usage', () => {
    const [usage = ''] = helpOf('dns').split('\n');
    for (const task of dnsTopics) expect(usage).toContain(task);
  });

  it('names every option that is accepted', () => {
    const [, listed = ''] = refusal('--xyzzyx').split('The options are ');
    const options = listed.replace('.', '').split(', ');
    for (const option of options) {
      if (option !== '--help' && option !== '--version')
        expect(help + commandNames.map(helpOf).join('')).toContain(option);
    }
  });

  it.each(commandNames)('of %s has usage, meaning and exit codes, and its examples are right', (name) => {
    const text = helpOf(name);
    expect(text).toMatch(new RegExp(`^Usage: skydeck ${name}\\b.*\\n\\n[A-Z][^\`]*\\.\\n`));
    expect(text).toContain('\nExit codes:\n  0 ');
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(80);
    const examples = Object.keys(commandNamed(name).examples);
    if (name !== 'version') expect(examples).not.toEqual([]);
    for (const example of examples) {
      const [line = ''] = example.split(/ [|>] /);
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
      expect(parseArguments(words).command).toBe(name);
    }
  });
});
