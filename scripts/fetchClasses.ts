/**
 * The classes of fetch for the bundle, in place of Node's own. They are the same classes; without the rest of fetch they
 * load in a quarter of the time.
 */

// A boundary between the parts of a form is random enough without `crypto`, and no page names the hash of its scripts.
import './fetchWithoutCrypto.ts';

// Defines the types of a request's body.
import 'undici/lib/web/fetch/response.js';

export { Headers } from 'undici/lib/web/fetch/headers.js';
export { Request } from 'undici/lib/web/fetch/request.js';
export { Response } from 'undici/lib/web/fetch/response.js';
