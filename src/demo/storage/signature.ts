import { createHmac } from 'node:crypto';
import type { Cloud } from '../engine/cloud.ts';

/** The one request that a signed address permits. */
export interface Grant {
  method: string;
  /** The content type that must be sent. */
  type: string;
  /** Seconds since the epoch. */
  expires: string;
}

/** The signature of a grant for one object, named by its cluster, bucket and name. */
export const signatureOf = ({ options }: Cloud, object: string, { method, type, expires }: Grant): string =>
  createHmac('sha256', `demo ${options.seed}`).update(`${object}\n${method}\n${type}\n${expires}`).digest('hex');
