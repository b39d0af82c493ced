import packageJson from '../package.json';

/** Version of this build. */
export const serviceVersion: string = packageJson.version;
