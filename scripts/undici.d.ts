declare module 'undici/lib/web/fetch/headers.js' {
  export { Headers } from 'undici';
}
declare module 'undici/lib/web/fetch/request.js' {
  export { Request } from 'undici';
}
declare module 'undici/lib/web/fetch/response.js' {
  export { Response } from 'undici';
}
declare module 'undici/lib/util/runtime-features.js' {
  export const runtimeFeatures: { set(feature: 'crypto', isThere: boolean): void };
}
