import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/config/lines.ts';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { processorMs } from '../processorTime.ts';

const says = (source: string) => parseConfig(source).mistakes.map((mistake) => mistake.says);

describe('unusual files', () => {
  it.each([
    ['a byte order mark', '\ufeff[profiles.work]\nrefresh = 0\n', 2],
    ['CRLF and tabs', '[profiles.work]\r\n\tcritical = true\r\n\trefresh\t=\t0\r\n', 3],
    ['a profile with a blank', '[profiles."my work"]\nrefresh = 0\n', 2],
    ['a profile with a bracket', '[profiles."a[1].b"]\n# one\nrefresh = 0\n', 3],
    ['a profile without a name', '[profiles.""]\nrefresh = 0\n', 2],
    [
      'a value of several lines',
      '[profiles.a]\ntoken_command = [\n  "x",\n  "]",\n]\ntoken_env = """\n=\n"""\nrefresh = 0',
      9,
    ],
    ['dotted keys', 'profiles.a.critical = true\nprofiles.a.refresh = 0', 2],
    ['an inline table', '[profiles]\na = { critical = true, refresh = 0 }', 2],
    ['a date', '[profiles.a]\nrefresh = 2026-01-01', 2],
    ['not a number', '[profiles.a]\nrefresh = nan', 2],
    ['infinity', '[profiles.a]\nrefresh = inf', 2],
  ])('with %s names the line', (_name, source, line) => {
    const found = says(source);
    expect(found.find((text) => text.includes('refresh must be a number'))).toMatch(new RegExp(`^line ${line}: `));
  });

  it.each([
    ['a table that is there twice', '[profiles.a]\n[profiles.a]\n', 'line 2: "[profiles.a]" is not valid TOML'],
    ['an empty text', '[profiles.a]\ntoken_env = ""', 'line 2: profiles.a.token_env must be a text; it is "".'],
    [
      'the first of both',
      'a = 1\n[profiles.a]\n\n[profiles.a]\n',
      '"[profiles.a]" is not valid TOML: it stands in line 2 already.',
    ],
    [
      'a key that is there twice',
      '[profiles.a]\nrefresh = 1\nrefresh = 2',
      'line 3: "refresh" is not valid TOML: it stands in line 2 already.',
    ],
    [
      'a text without quotes',
      '[profiles.a]\ntheme = dark # ok',
      'line 2: "theme" is not valid TOML: a text needs quotes: theme = "dark".',
    ],
    [
      'a text that is not closed',
      '[profiles.a]\ntheme = "dark\ncolor = "red"',
      'line 2: "theme" is not valid TOML: a text has no closing quote.',
    ],
    [
      'a long text that is not closed',
      "[profiles.a]\ntheme = '''dark\n",
      'line 2: "theme" is not valid TOML: a text has no closing quote.',
    ],
    [
      'a list that is not closed',
      '[profiles.a]\ntoken_command = [\n  "x",\n\n',
      'line 2: "token_command" is not valid TOML: what [ opens there is never closed.',
    ],
    ['no value', '[profiles.a]\ntheme =\ncolor = "red"', 'line 2: "theme" is not valid TOML: it has no value.'],
    ['not a number', '[profiles.a]\nrefresh = nan', 'refresh must be a number of seconds from 1 to 3600; it is NaN.'],
    [
      'both kinds of command',
      '[[commands]]\nname = "x"\nfor = "servers"\nrun = ["x"]\nrequest = { method = "GET", path = "/v4/x" }',
      'line 5: commands[1].request cannot be set together with run; keep one of them.',
    ],
    ['a number too large', '[profiles.a]\nrefresh = 99999999999999999999', 'line 2: "refresh" is not valid TOML'],
    ['a part that is a text', 'profiles = "a"', 'line 1: profiles must be'],
    ['a list of profiles', '[[profiles]]\nrefresh = 1', 'line 1: profiles must be'],
    [
      'commands that are one table',
      '[commands]\nname = "x"',
      'line 1: commands must be made of tables like [[commands]].',
    ],
    [
      'a mistake in an array within a table',
      '[[hooks]]\non = ["critical"]\nrun = ["a"]\n[[hooks]]\non = ["gone"]\nrun = ["a"]',
      'line 5: hooks[2].on[1] must be',
    ],
    ['what is missing', '[profiles.a]\n\n[[hooks]]\non = ["critical"]', 'line 3: hooks[1].run is missing.'],
    [
      'a name of the language',
      '[profiles.__proto__]\nread_only = true',
      'line 1: profiles.__proto__ cannot be a name here; choose another.',
    ],
    [
      'another of them',
      '[profiles.a]\n[views.constructor]\narea = "servers"',
      'line 2: views.constructor cannot be a name here',
    ],
    ['one of them within', '[__proto__.polluted]\nx = 1', 'line 1: __proto__ cannot be a name here'],
  ])('with %s say what is wrong', (_name, source, start) => {
    expect(says(source)[0]).toContain(start);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('tells a name of the language within a part once', () => {
    const source = '[[rules]]\nfor = "a"\nwhere = "b"\nseverity = "notice"\nsays = "c"\nconstructor = 1\n';
    expect(says(source)).toEqual(['line 6: rules[1].constructor cannot be a name here; choose another.']);
  });

  it('tells every unknown key of a table, also one that objects of the language have', () => {
    const source = '[profiles.a]\nred_only = true\ntoString = 1\n[profiles.a.ssh]\nusr = "root"\nadress = "ipv6"\n';
    expect(says(source).map((text) => /^line \d+: \S+ is unknown/.exec(text)?.[0])).toEqual([
      'line 2: profiles.a.red_only is unknown',
      'line 3: profiles.a.toString is unknown',
      'line 5: profiles.a.ssh.usr is unknown',
      'line 6: profiles.a.ssh.adress is unknown',
    ]);
  });

  it.each([
    ['a table', `[${'a.'.repeat(50_000)}a]`],
    ['a key', `${'a.'.repeat(50_000)}a = 1`],
  ])('of which %s lies too deep are refused by a sentence', (_what, source) => {
    expect(says(source)).toEqual([
      'line 1: a.a.a.a.a.a… lies more than 40 tables deep; the configuration has no such key.',
    ]);
  });

  it('with keys without number are refused once thirty are told', () => {
    const keys = Array.from({ length: 10_000 }, (_, nth) => `k${nth} = 1\n`).join('');
    const { mistakes, config } = parseConfig(keys);
    expect(mistakes).toHaveLength(31);
    expect(mistakes[0]?.says).toBe(
      'line 1: More than 30 keys of one table are unknown; these are told, and nothing of the file is used.',
    );
    expect(mistakes.every(({ stops }) => stops === 'start')).toBe(true);
    expect(config.profiles).toEqual(parseConfig('').config.profiles);
  });

  it.each([
    ['a text', `[profiles.a]\nred_only = """\n${'" x\n'.repeat(40_000)}"""\n`],
    ['a list', `[profiles.a]\nred_only = [\n${'[1],\n'.repeat(40_000)}]\n`],
  ])('of which %s goes over ten thousands of lines are read in time', (_what, source) => {
    expect(says(source)[0]).toMatch(/^line \d+: profiles\.a\.red_only is unknown;/);
  });

  it('of ten thousand lines are read, and each mistake has its line, in little time', () => {
    const tables = Array.from({ length: 2500 }, (_, nth) => `[views.v${nth}]\narea = "servers"\nfiltr = "a"\n`);
    const begun = processorMs();
    const { config, mistakes } = parseConfig(tables.join('\n'));
    expect(mistakes).toHaveLength(2500);
    expect(mistakes.at(-1)?.line).toBe(2499 * 4 + 3);
    expect(config.views).toEqual({});
    expect(processorMs() - begun).toBeLessThan(5000);
  });
});

const name = fc.oneof(
  fc.constantFrom(
    'profiles',
    'keys',
    'views',
    'commands',
    'rules',
    'hooks',
    'guards',
    'work',
    'for',
    'where',
    'run',
    'on',
  ),
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', ' ', '[', 'a.b', '\u202e'),
  fc.string({ maxLength: 6 }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.string(), fc.boolean(), fc.double({ noNaN: false }), fc.integer(), fc.constant(new Date(0))),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(tie('table'), { maxLength: 3 }),
    tie('table'),
  ),
  table: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: false }),
}));

describe('any file', () => {
  it('is read without a crash, and every mistake has a line and a sentence', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 5 }), (table) => {
        let source: string;
        try {
          source = stringify(table);
        } catch {
          return;
        }
        const { config, mistakes } = parseConfig(source);
        const last = source.split('\n').length;
        for (const { line, says } of mistakes) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(last);
          expect(says).toMatch(/^line \d+: [\s\S]*[.?]$/);
        }
        expect(Object.keys(config).sort()).toEqual(['commands', 'hooks', 'keys', 'profiles', 'rules', 'views']);
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
      }),
    );
  });

  it('of any text is told where it is no TOML', () => {
    fc.assert(
      fc.property(fc.string(), (source) => {
        for (const { says } of parseConfig(source).mistakes) expect(says).toMatch(/^line \d+: /);
      }),
    );
  });

  it('has each key at the line that it was written at', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, fc.string()), { selector: ([one]) => one, maxLength: 8 }), (pairs) => {
        const kept = pairs.filter(([one]) => one !== '__proto__');
        const source = kept.map(([one, text]) => `[t.${JSON.stringify(one)}]\nk = ${JSON.stringify(text)}`).join('\n');
        try {
          const lineOf = linesOf(source);
          for (const [nth, [one]] of kept.entries()) expect(lineOf(['t', one, 'k'])).toBe(2 * nth + 2);
        } catch (error) {
          if ((error as Error).name !== 'TomlError') throw error;
        }
      }),
    );
  });
});
