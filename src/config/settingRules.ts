import { visibleJson } from '../text/escapes.ts';

/** The themes by name. */
export const themes = ['dark', 'light', 'high-contrast', 'mono'] as const;

/** The numbers of colours that may be sent, and their bits. */
export const colorDepths: Readonly<Record<string, 4 | 8 | 24>> = { 16: 4, 256: 8, truecolor: 24 };
const depthNames = Object.keys(colorDepths);

/** The rules of options that are also settings in the configuration. Each returns the mistake, as the end of a sentence. */
export const settingRules = {
  baseUrl: (value: string): string | undefined => {
    const says = 'must be an address like https://api.example.com';
    const url = URL.parse(value);
    if (!url || !/^https?:$/.test(url.protocol)) return `${says}; it is ${quoted(value)}`;
    if (url.username || url.password) return `${says}, without a user or password in it`;
    if (url.search || url.hash) return `${says}, without ? or #; it is ${quoted(value)}`;
    if (/\/v4\/?$/.test(url.pathname)) return `must end before /v4, which is added to it; it is ${quoted(value)}`;
    return undefined;
  },
  refresh: (value: unknown): string | undefined =>
    typeof value === 'number' && value >= 1 && value <= 3600
      ? undefined
      : `must be a number of seconds from 1 to 3600; it is ${quoted(value)}`,
  theme: (value: string): string | undefined =>
    themes.some((name) => name === value) ? undefined : `must be one of ${themes.join(', ')}; it is ${quoted(value)}`,
  colors: (value: string): string | undefined =>
    depthNames.includes(value) ? undefined : `must be one of ${depthNames.join(', ')}; it is ${quoted(value)}`,
};

/** A value for a sentence: short, and without control characters. */
export const quoted = (value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : visibleJson(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** Whether requests to an address can be read on the network; those to this machine cannot. */
export const isUnencrypted = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(([\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
};
