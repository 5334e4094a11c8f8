/**
 * The classes of fetch, which take the place of Node's own in the bundle: they are the same ones, and only what the demo
 * API needs of them is loaded, in a quarter of the time.
 */

// The bodies that a request may have are listed in there.
import 'undici/lib/web/fetch/response.js';

export { Headers } from 'undici/lib/web/fetch/headers.js';
export { Request } from 'undici/lib/web/fetch/request.js';
export { Response } from 'undici/lib/web/fetch/response.js';
