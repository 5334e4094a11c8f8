/** The entry of the program as one executable file, which runs its demo API too. */
void (process.env.SKYDECK_PART === 'demo' ? import('./program/demoMain.ts') : import('./main.tsx'));
