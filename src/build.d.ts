/** The version of the program, put in when it is bundled. */
declare const SKYDECK_VERSION: string;
