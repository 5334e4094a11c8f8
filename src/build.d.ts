/** The version of the program, put in when it is bundled. */
declare const SKYDECK_VERSION: string;

/** The module of the demo API's thread, as seen from the module that starts it; put in likewise. */
declare const SKYDECK_DEMO_THREAD: string;
