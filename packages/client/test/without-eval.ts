import { z } from 'zod';

declare const location: { readonly search: string };

// Imported first, because zod tries `eval` when the first schema is made.
if (location.search === '?without-eval') z.config({ jitless: true });
