import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2024',
    // The content security policy allows no data URLs but images.
    assetsInlineLimit: 0,
    // The page says which scripts and styles it loads first; the weight of these is limited.
    manifest: true,
    modulePreload: { polyfill: false },
  },
});
