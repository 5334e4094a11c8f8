import { stringify } from 'smol-toml';
import type { Config } from './schema.ts';

/** Views as the configuration has them. */
export const viewsText = (views: Config['views']): string => stringify({ views });
