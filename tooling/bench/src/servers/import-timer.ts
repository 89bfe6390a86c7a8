// Reports the CPU time in milliseconds that the import of a module takes.

process.channel?.ref();
const [, , specifier = ''] = process.argv;
const before = process.cpuUsage();
await import(specifier);
const { user, system } = process.cpuUsage(before);
process.send?.((user + system) / 1000);
