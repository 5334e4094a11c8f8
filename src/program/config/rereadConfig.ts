import { type Configuration, configurationOf, type Reread } from '../../config/configuration.ts';
import type { Profile } from '../../config/schema.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import type { Options } from '../invocation.ts';
import { sentenceOf } from '../rules.ts';
import { type RunSettings, readNamedConfig } from '../settings.ts';
import { brokenViews, mistakeText } from './readConfig.ts';

/** The settings of a profile that the dashboard takes over while it runs. */
const takenOver: ReadonlySet<string> = new Set(['guards', 'ssh', 'color', 'theme'] satisfies (keyof Profile)[]);

/**
 * A function that reads the configuration of an account again; none where there is none to read, as with the demo.
 * @param onVariables told of the variables that hold tokens
 */
export function rereader(
  { demo, profile: name, own, configFile }: RunSettings,
  options: Options,
  env: Environment,
  onVariables: (names: readonly string[]) => void = () => {},
): (() => Promise<Reread>) | undefined {
  if (demo) return undefined;
  return async () => {
    const read = await readNamedConfig(options, env).catch(sentenceOf);
    if (typeof read === 'string') return { mistakes: [read], later: [] };
    const { file, config, mistakes } = read;
    onVariables(read.tokenVariables);
    const said = mistakes.map((mistake) => mistakeText(file, mistake));
    const stops = mistakes.some(
      ({ stops }) => stops === 'start' || (typeof stops === 'object' && stops.profile === name),
    );
    if (stops) return { mistakes: said, later: [] };
    const profile = config.profiles[name];
    if (!profile && configFile !== undefined && own !== undefined)
      return { mistakes: [...said, `${file} has no profile ${name} any more.`], later: [] };
    return {
      file,
      configuration: { ...withTheme(configurationOf(config, name), own, options), brokenViews: brokenViews(read) },
      mistakes: said,
      later: differing(own ?? { guards: [] }, profile ?? { guards: [] }),
    };
  };
}

/** An option comes before the profile; without a theme any more the default one counts. */
function withTheme(configuration: Configuration, own: Profile | undefined, options: Options): Configuration {
  if (options.theme !== undefined) return { ...configuration, theme: undefined };
  return { ...configuration, theme: configuration.theme ?? (own?.theme === undefined ? undefined : 'dark') };
}

const differing = (before: Profile, after: Profile): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => {
    const name = key as keyof Profile;
    return !takenOver.has(key) && JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  });
