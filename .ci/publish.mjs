#!/usr/bin/env node
// Publishes the tarballs of a folder to the private registry, as the dist-tag TAG: .ci/publish.mjs FOLDER
// RELEASE is the list that `pnpm release:pack` prints. A line has the checksum, the name and the version of a file, and
// each package comes after those that it depends on. This runs beside the token, so it needs only Node.js and npm.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const LINE = /^(?<integrity>sha512-[\w+/]{86}==) (?<file>[\w.-]+) (?<id>(?<name>@hr\/[\w-]+)@(?<version>[\w.-]+))$/;

try {
  publish(process.argv[2], process.env.RELEASE ?? '', process.env.TAG ?? 'latest');
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function publish(folder, list, tag) {
  const files = list.split('\n').filter(Boolean).map(readLine);
  if (files.length === 0) throw new Error('The list of files, RELEASE, is empty, so nothing is published. Pack again.');
  checkFiles(folder, files);
  const registry = npm(['config', 'get', '@hr:registry']).trim();
  if (!URL.canParse(registry)) {
    throw new Error(
      "No registry is set for @hr. Name the private one: npm config set --location=user '@hr:registry=https://…'",
    );
  }
  // What is wrong with one of them is known before the first is published.
  const tarballs = files.filter(({ file }) => file.endsWith('.tgz'));
  const missing = tarballs.filter((tarball) => !isPublished(tarball, tag));
  for (const { file, id } of missing) {
    try {
      // npm reads a relative path as the name of a repository on GitHub.
      npm(['publish', resolve(folder, file), '--tag', tag, `--@hr:registry=${registry}`, '--ignore-scripts']);
    } catch (error) {
      throw new Error(
        `${id} is not published, and nothing after it is. Run this again: it skips published versions.\n${error.message}`,
        { cause: error },
      );
    }
    process.stdout.write(`Published ${id} to ${registry} as ${tag}.\n`);
  }
  if (missing.length === 0) process.stdout.write('The registry has every version already.\n');
}

function readLine(line) {
  const { groups } = LINE.exec(line) ?? {};
  if (groups) return groups;
  throw new Error(`The list of files, RELEASE, has an invalid line, so nothing is published. Pack again: ${line}`);
}

/** The folder has exactly the files of the list. */
function checkFiles(folder, files) {
  const found = new Map(readdirSync(folder).map((file) => [file, integrityOf(readFileSync(join(folder, file)))]));
  const faults = [];
  for (const { file, integrity } of files) {
    if (!found.has(file)) faults.push(`${file} is missing`);
    else if (found.get(file) !== integrity) faults.push(`${file} has another checksum`);
    found.delete(file);
  }
  for (const file of found.keys()) faults.push(`${file} is not in the list`);
  if (faults.length === 0) return;
  throw new Error(
    `The files in ${folder} are not those that were packed, so nothing is published: ${faults.join('; ')}. ` +
      'Find out what changed them, and pack again.',
  );
}

function integrityOf(bytes) {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

/** Whether the registry has this version, with the same contents. A new one must not move `latest` back. */
function isPublished({ id, integrity, name, version }, tag) {
  const { latest } = view(name, 'dist-tags') ?? {};
  const published = latest && view(id, 'dist.integrity');
  if (published && published !== integrity) {
    throw new Error(
      `The registry has ${id} with other contents, so nothing is published. It was packed from another commit: ` +
        'release that one, or give this one a new version with a changeset.',
    );
  }
  if (!published && tag === 'latest' && latest && isOlder(version, latest)) {
    throw new Error(
      `latest of ${name} would go back from ${latest} to ${version}, so nothing is published. ` +
        `Name another dist-tag: --tag latest-${version.split('.')[0]}`,
    );
  }
  return Boolean(published);
}

/** Of versions such as 1.10.2. A prerelease counts as its release. */
function isOlder(version, other) {
  const [one, two] = [version, other].map((text) => text.replace(/-.*/, ''));
  return one.localeCompare(two, 'en', { numeric: true }) < 0;
}

/** What the registry tells about a package or a version; undefined if it has none. */
function view(id, field) {
  try {
    const text = npm(['view', id, field, '--json']);
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    if (error.message.includes('E404')) return undefined;
    throw new Error(
      `The registry does not tell whether it has ${id}, so nothing is published. Run this again when it responds.\n` +
        error.message,
      { cause: error },
    );
  }
}

function npm(args) {
  try {
    return execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const said = stripVTControlCharacters(`${error.stdout}${error.stderr}`).trim();
    throw new Error(said || error.message, { cause: error });
  }
}
