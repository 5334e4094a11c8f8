import { registerHooks } from 'node:module';
import { isInkOutput } from '../scripts/ink/plugin.ts';

const ours = import.meta.resolve('../scripts/ink/output.ts');

/** Draws with the same lines as the bundle; takes effect before Ink is loaded. */
registerHooks({
  resolve: (specifier, context, next) =>
    isInkOutput(specifier, context.parentURL ?? '') ? { url: ours, shortCircuit: true } : next(specifier, context),
});
