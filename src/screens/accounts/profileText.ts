import type { Hue, Theme } from '../../components/theme.ts';

/** A line that begins with the name of a profile, the name in the colour that the configuration has for it. */
export function withProfile(theme: Theme, hue: Hue | undefined, profile: string, line: string): string {
  if (hue === undefined) return line;
  const name = line.startsWith(profile) ? profile : line;
  return theme.hue(hue, name) + line.slice(name.length);
}
