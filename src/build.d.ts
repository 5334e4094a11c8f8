/** The version of the program, put in when it is bundled. */
declare const SKYDECK_VERSION: string;

/** The scripts of the program and of the demo API, beside those that load them; put in likewise. */
declare const SKYDECK_PROGRAM: string;
declare const SKYDECK_REST: string;
declare const SKYDECK_DEMO: string;

/** The script that begins the demo API's process, as seen from the module that starts it; put in likewise. */
declare const SKYDECK_DEMO_MAIN: string;
