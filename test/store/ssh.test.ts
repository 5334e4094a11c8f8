import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { configChecks } from '../../src/program/config/checks.ts';
import { emptyView, type Row } from '../../src/resources/resource.ts';
import { type SshConfig, shellOn } from '../../src/store/ssh.ts';

const server = (more: Row = {}): Row => ({
  id: 7,
  label: 'web-1',
  status: 'running',
  ipv4: ['192.168.1.4', '192.0.2.10', '192.0.2.11'],
  ipv6: '2001:db8::a/128',
  tags: ['web'],
  ...more,
});
const shell = (row: Row, config?: Partial<NonNullable<SshConfig>>) =>
  shellOn(config && { when: [], ...config }, row, emptyView);

describe('a shell on a server', () => {
  it('is ssh as root at its public address where the profile says nothing', () => {
    expect(shell(server())).toEqual({
      argv: ['ssh', 'root@192.0.2.10'],
      user: 'root',
      address: '192.0.2.10',
      id: '7',
      label: 'web-1',
    });
  });

  it('is what the profile says, and what it says of some servers', () => {
    const run = ['mosh', '--', '{user}@{address}', 'tmux', 'new', '-s', '{label}-{id}'];
    const config = { run, user: 'me', when: [{ where: 'tag:db', user: 'postgres', address: 'private' as const }] };
    expect(shell(server(), config)).toMatchObject({
      argv: ['mosh', '--', 'me@192.0.2.10', 'tmux', 'new', '-s', 'web-1-7'],
    });
    expect(shell(server({ tags: ['db'] }), config)).toMatchObject({ user: 'postgres', address: '192.168.1.4' });
    expect(shell(server(), { address: 'ipv6' })).toMatchObject({ argv: ['ssh', 'root@2001:db8::a'] });
  });

  it.each<[Row, Partial<NonNullable<SshConfig>>, string]>([
    [{ ipv4: ['192.168.1.4'] }, {}, 'web-1 has no public IPv4 address to log in to.'],
    [{ ipv4: ['192.0.2.1'] }, { address: 'private' }, 'web-1 has no private IPv4 address to log in to.'],
    [{ ipv6: null }, { address: 'ipv6' }, 'web-1 has no IPv6 address to log in to.'],
    [{ ipv4: '192.0.2.1' }, {}, 'web-1 has no public IPv4 address to log in to.'],
    [{ ipv4: ['-oProxyCommand=id', 'web.example.com', 5, null] }, {}, 'web-1 has no public IPv4 address to log in to.'],
    [{ label: '-oProxyCommand=id' }, { run: ['ssh', '{label}'] }, '{label} would become "-oProxyCommand=id"'],
    [
      { label: '-oProxyCommand=id' },
      { run: ['ssh', '{label}'] },
      'for this server, which a program may take for an option; nothing was run.',
    ],
    [
      { label: 'a\u001b[2J\u009b' },
      { run: ['ssh', '{label}'] },
      '{label} would become "a\\u001b[2J\\u009b" for this server, which holds a control character; nothing was run.',
    ],
    [{ label: '' }, { run: ['ssh', '{label}'] }, '{label} would become "" for this server; nothing was run.'],
  ])('is refused for %j with %j', (row, config, says) => {
    const refused = shell(server(row), config);
    expect('why' in refused && refused.why).toContain(says);
  });
});

describe('the ssh of a profile', () => {
  it.each([
    [
      'run = ["ssh", "{host}"]',
      'profiles.p.ssh.run has {host}; what is filled in is {user}, {address}, {label}, {id}.',
    ],
    ['user = "-oProxyCommand=id"', 'profiles.p.ssh.user must be the name of a user'],
    [
      '[[profiles.p.ssh.when]]\nwhere = "nothing:1"',
      'profiles.p.ssh.when[1].where is no filter: at character 1, there is no field',
    ],
    ['address = "dns"', 'profiles.p.ssh.address must be one of public, private, ipv6; it is "dns".'],
  ])('%j is named by line and key', (text, says) => {
    const { mistakes } = parseConfig(`[profiles.p.ssh]\n${text}\n`, configChecks);
    expect(mistakes.map((mistake) => mistake.says)).toEqual([expect.stringContaining(says)]);
    expect(mistakes[0]?.stops).toEqual({ profile: 'p' });
  });
});
