/** Has the classes of fetch do without `crypto`, which costs as much to load as they do. To be imported before them. */

import { runtimeFeatures } from 'undici/lib/util/runtime-features.js';

runtimeFeatures.set('crypto', false);
