import { exactLinesOf, type KeyPath } from '../../config/lines.ts';
import type { Profile } from '../../config/schema.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { visibleJson } from '../../text/escapes.ts';
import { displayText, textOf as written } from '../../text/words.ts';
import type { Options } from '../invocation.ts';
import { textTable } from '../print.ts';
import { defaults, ownSources, profileName, throwStopping } from '../settings.ts';
import { type ReadConfig, textOf } from './readConfig.ts';

/** A setting that is in force, and where it comes from. */
export interface ShownSetting {
  setting: string;
  /** Never a secret: of a token, where it is. */
  value: string;
  from: string;
}

/** A setting by the option, the variable and the key of a profile that set it, the first of which counts. */
interface Source {
  option?: unknown;
  typed?: string;
  variable?: string;
  key?: keyof Profile;
  /** In force without any of them. */
  usual?: unknown;
}

/** Every setting in force for the profile that options and environment name. Throws a UsageError where there is none such. */
export function settingsInForce(read: ReadConfig, options: Options, env: Environment): readonly ShownSetting[] {
  throwStopping(read);
  const name = profileName(read, options, env);
  throwStopping(read, name);
  const profile: Profile = (name === undefined ? undefined : read.config.profiles[name]) ?? {
    guards: [],
    ...read.config.defaults,
  };
  const own = ownSources(profile, options);
  const placeOf = placesIn(read, name);
  const shown = (setting: string, { option, typed = '', variable, key, usual }: Source): ShownSetting => {
    const ofProfile = key === undefined ? undefined : profile[key];
    const variableText = variable === undefined ? undefined : env[variable] || undefined;
    if (option !== undefined && option !== false)
      return { setting, value: displayText(option), from: `option ${typed}` };
    if (variableText !== undefined) return { setting, value: variableText, from: `variable ${variable}` };
    if (ofProfile !== undefined && key !== undefined)
      return { setting, value: displayText(ofProfile), from: placeOf(key) };
    return { setting, value: displayText(usual) || 'none', from: 'default' };
  };
  const isTokenOfEnvironment = Boolean(env.SKYDECK_TOKEN) && !own.token;
  const { ssh, guards, vocabulary = {} } = profile;
  return [
    { setting: 'config', value: read.file, from: fileFrom(options, env) },
    {
      ...shown('profile', { option: options.profile, typed: '--profile', variable: 'SKYDECK_PROFILE' }),
      ...(name === undefined ? { value: 'none: the environment' } : { value: name }),
    },
    shown('base_url', {
      option: options.baseUrl,
      typed: '--base-url',
      variable: own.address ? undefined : 'SKYDECK_BASE_URL',
      key: 'base_url',
    }),
    isTokenOfEnvironment
      ? { setting: 'token', value: 'set', from: 'variable SKYDECK_TOKEN' }
      : tokenSetting(profile, placeOf),
    shown('read_only', { option: options.readOnly, typed: '--read-only', key: 'read_only', usual: false }),
    shown('critical', { key: 'critical', usual: false }),
    shown('refresh', {
      option: options.refreshSeconds,
      typed: '--refresh',
      key: 'refresh',
      usual: defaults.refreshSeconds,
    }),
    shown('theme', {
      option: options.theme,
      typed: '--theme',
      key: 'theme',
      usual: `${defaults.theme}, or as the terminal is`,
    }),
    shown('colors', {
      option: options.noColor ? 'none' : options.colors,
      typed: options.noColor ? '--no-color' : '--colors',
      variable: 'NO_COLOR',
      key: 'colors',
      usual: 'as the terminal has',
    }),
    shown('color', { key: 'color' }),
    shown('ascii', { option: options.ascii, typed: '--ascii', usual: false }),
    shown('mouse', { option: options.mouse, typed: '--mouse', key: 'mouse', usual: false }),
    shown('screen_reader', {
      option: options.screenReader,
      typed: '--screen-reader',
      variable: env.INK_SCREEN_READER === 'true' ? 'INK_SCREEN_READER' : undefined,
      key: 'screen_reader',
      usual: false,
    }),
    options.noCache
      ? { setting: 'cache', value: 'no', from: 'option --no-cache' }
      : shown('cache', { key: 'cache', usual: true }),
    shown('log_file', { option: options.logFile, typed: '--log-file' }),
    shown('insecure_http', { key: 'insecure_http', usual: false }),
    ...Object.entries(vocabulary).map(([word, value]) => ({
      setting: `vocabulary.${word}`,
      value: written(value),
      from: placeOf('vocabulary', word),
    })),
    ...(['run', 'user', 'address', 'read_only'] as const).flatMap((key) =>
      ssh?.[key] === undefined ? [] : [{ setting: `ssh.${key}`, value: listText(ssh[key]), from: placeOf('ssh', key) }],
    ),
    { setting: 'guards', value: String(guards.length), from: guards.length > 0 ? placeOf('guards') : 'default' },
  ];
}

/** The settings as a table, or as a JSON document. */
export const settingsText = (settings: readonly ShownSetting[], isJson: boolean): string =>
  isJson
    ? `${visibleJson({ settings }, 2)}\n`
    : textTable(
        (['setting', 'value', 'from'] as const).map((title) => ({
          title,
          keep: 1,
          value: (one: ShownSetting) => one[title],
        })),
        settings,
        { now: 0, glyphs: 'unicode' },
      );

const listText = (value: unknown): string => (Array.isArray(value) ? value.join(' ') : displayText(value));

/** The source of the token; of a command its program alone, as an argument may be a secret. */
function tokenSetting(profile: Profile, placeOf: (...path: KeyPath) => string): ShownSetting {
  const key = (['token_env', 'token_file', 'token_command'] as const).find((one) => profile[one] !== undefined);
  if (key === undefined) return { setting: 'token', value: 'none', from: 'default' };
  const [first = ''] = [profile[key] ?? ''].flat();
  return { setting: 'token', value: `${key} ${first}`, from: placeOf(key) };
}

function fileFrom({ config }: Options, { SKYDECK_CONFIG }: Environment): string {
  if (config !== undefined) return 'option --config';
  return SKYDECK_CONFIG ? 'variable SKYDECK_CONFIG' : 'default';
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
