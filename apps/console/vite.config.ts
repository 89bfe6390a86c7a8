import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** Writes each script and style sheet compressed, too, so that the backend does not compress at each request. */
const compressed: Plugin = {
  name: 'compressed',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!/\.(?:css|js)$/.test(fileName)) continue;
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(bytes, { params }) });
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(bytes) });
      }
    },
  },
};

export default defineConfig({
  plugins: [react(), compressed],
  // As Node.js runs the backend: without built packages.
  resolve: { conditions: ['@hr/source', ...defaultClientConditions] },
  build: {
    target: 'es2024',
    // The content security policy allows no data URLs but images.
    assetsInlineLimit: 0,
    // The licenses of what the pages contain ask that their texts come along. The list of contents of the image reads it.
    license: { fileName: 'licenses.json' },
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A screen is twenty files, not sixty: what every page needs, what nearly all screens share, and the rest.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'] },
            { name: 'shared', minShareCount: 11 },
          ],
        },
      },
    },
  },
});
