import about from '../../package.json' with { type: 'json' };

/** The version of Colloquy. */
export const VERSION: string = about.version;
