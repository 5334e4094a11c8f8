import { exactLinesOf, type KeyPath } from '../../config/lines.ts';
import type { Profile } from '../../config/schema.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { visibleJson } from '../../text/escapes.ts';
import { counted, displayText } from '../../text/words.ts';
import { columnsNamed, textTable } from '../document.ts';
import type { Options } from '../invocation.ts';
import { checkedAddress, chosenProfile, defaults, ownSources } from '../settings.ts';
import { type ReadConfig, textOf } from './readConfig.ts';

/** A setting that is in force, and where it comes from. */
export interface ShownSetting {
  setting: string;
  /** Never a secret: of a token, where it is. */
  value: string;
  from: string;
}

/** Every setting in force for the profile that options and environment name. Throws a UsageError where there is none such. */
export function settingsInForce(read: ReadConfig, options: Options, env: Environment): readonly ShownSetting[] {
  const { name, profile } = chosenProfile(read, options, env);
  const own = ownSources(profile, options);
  if (!options.baseUrl && !own.address) checkedAddress(env.SKYDECK_BASE_URL);
  const placeOf = placesIn(read, name);
  /** A setting by its option, a variable, and the key of its name in a profile, the first of which counts. */
  const shown = (setting: string, option?: unknown, usual: unknown = 'none', variable = ''): ShownSetting => {
    const key = setting as keyof Profile;
    const value = displayText;
    if (option) return { setting, value: value(option), from: `option --${setting.replaceAll('_', '-')}` };
    if (env[variable]) return { setting, value: env[variable], from: `variable ${variable}` };
    if (profile[key] !== undefined) return { setting, value: value(profile[key]), from: placeOf(key) };
    return { setting, value: value(usual), from: 'default' };
  };
  const { ssh = {}, guards, vocabulary = {} } = profile;
  const readerVariable = env.INK_SCREEN_READER === 'true' ? 'INK_SCREEN_READER' : '';
  return [
    { ...shown('config', options.config, '', 'SKYDECK_CONFIG'), value: read.file },
    { ...shown('profile', options.profile, '', 'SKYDECK_PROFILE'), value: name ?? 'none: the environment' },
    shown('base_url', options.baseUrl, 'none', own.address ? '' : 'SKYDECK_BASE_URL'),
    env.SKYDECK_TOKEN && !own.token
      ? { setting: 'token', value: 'set', from: 'variable SKYDECK_TOKEN' }
      : tokenSetting(profile, placeOf),
    shown('read_only', options.readOnly, false),
    shown('critical', undefined, false),
    shown('refresh', options.refresh, defaults.refreshSeconds),
    shown('theme', options.theme, `${defaults.theme}, or as the terminal is`),
    shown('no_color', options.noColor, false, 'NO_COLOR'),
    shown('colors', options.colors, 'as the terminal has'),
    shown('color'),
    shown('ascii', options.ascii, false),
    shown('mouse', options.mouse, false),
    shown('screen_reader', options.screenReader, false, readerVariable),
    options.noCache ? { setting: 'cache', value: 'no', from: 'option --no-cache' } : shown('cache', undefined, true),
    shown('log_file', options.logFile),
    shown('insecure_http', undefined, false),
    ...[
      ...Object.entries(vocabulary).map(([word, value]) => ['vocabulary', word, value] as const),
      ...Object.entries(ssh).flatMap(([key, value]) => (key === 'when' ? [] : [['ssh', key, value] as const])),
    ].map(([part, key, value]) => ({
      setting: `${part}.${key}`,
      value: key === 'run' ? programText(value) : Array.isArray(value) ? value.join(' ') : displayText(value),
      from: placeOf(part, key),
    })),
    { setting: 'guards', value: String(guards.length), from: guards.length > 0 ? placeOf('guards') : 'default' },
  ];
}

/** The settings as a table, or as a JSON document. */
export const settingsText = (settings: readonly ShownSetting[], isJson?: boolean): string =>
  isJson
    ? `${visibleJson({ settings }, 2)}\n`
    : textTable(columnsNamed('setting', 'value', 'from'), settings, { now: 0, glyphs: 'unicode' });

/** A program without its arguments, as one may be a secret. */
function programText(argv: unknown): string {
  const [program = '', ...more] = [argv].flat().map(displayText);
  return more.length === 0 ? program : `${program} and ${counted(more.length, 'argument')}`;
}

/** The source of the token, of which a command may have a secret among its arguments. */
function tokenSetting(profile: Profile, placeOf: (...path: KeyPath) => string): ShownSetting {
  const key = (['token_env', 'token_file', 'token_command'] as const).find((one) => profile[one] !== undefined);
  if (key === undefined) return { setting: 'token', value: 'none', from: 'default' };
  return { setting: 'token', value: `${key} ${programText(profile[key])}`, from: placeOf(key) };
}

/** Names the place of a key of a profile, or of what all share, with its file and line. */
function placesIn({ file, further = [] }: ReadConfig, name: string | undefined) {
  const files = [file, ...further].flatMap((one) => {
    const source = textOf(one, false);
    return source === undefined ? [] : [{ file: one, lineOf: exactLinesOf(source) }];
  });
  return (...path: KeyPath): string => {
    const places: readonly (readonly [string, KeyPath])[] = [
      ...(name === undefined ? [] : [[`profile ${name}`, ['profiles', name, ...path]] as const]),
      ['defaults', ['defaults', ...path]],
    ];
    for (const [called, whole] of places)
      for (const { file, lineOf } of files) {
        const line = lineOf(whole);
        if (line !== undefined) return `${called}, ${file}:${line}`;
      }
    return places[0]?.[0] ?? 'default';
  };
}
