import { stringify } from 'smol-toml';
import type { ConfigFile } from './schema.ts';

/** Views as the configuration has them. */
export const viewsText = (views: ConfigFile['views']): string => stringify({ views });
