import chromium from '@sparticuz/chromium';

// Unpacks Chromium into the TMPDIR of this process.
await chromium.executablePath();
