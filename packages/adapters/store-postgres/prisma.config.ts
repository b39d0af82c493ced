import { defineConfig } from 'prisma/config';

/** For `prisma generate`; migrations are applied by `migrate` of this package. */
export default defineConfig({ schema: 'prisma/schema', migrations: { path: 'prisma/migrations' } });
