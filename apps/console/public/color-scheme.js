// Before the first paint, so that a dark page does not flash. The key is Mantine's.
const stored = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
const dark = stored === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : stored === 'dark';
document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
