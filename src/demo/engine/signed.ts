import type { Cloud } from './cloud.ts';

/** An operation on a file at an address that carries its own permission: on the host of the storage, outside the API. */
export interface SignedRoute {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Path from the root on; parameters as `:name`, those that may hold a slash as `:name{.+}`. */
  path: string;
  handler: (call: SignedCall, cloud: Cloud) => Response | Promise<Response>;
}

export interface SignedCall {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  request: Request;
  /** Lets the clock of the cloud go on to now, e.g. after a long body. */
  advance: () => void;
}

/** The answer of a storage host that refuses: XML, as such hosts write it. */
export const storageError = (status: number, code: string, message: string): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`, {
    status,
    headers: { 'Content-Type': 'application/xml' },
  });

/** Answers a signed call; a request that carries a token as well is refused, for it was sent where it must not go. */
export async function answerSigned(route: SignedRoute, call: SignedCall, cloud: Cloud): Promise<Response> {
  call.advance();
  if (call.request.headers.has('Authorization')) {
    return storageError(400, 'InvalidArgument', 'Only one way to authorise is allowed: the signature or a token');
  }
  return route.handler(call, cloud);
}
