import { readChangesets } from '@changesets/read';

// The least first.
const kinds = ['none', 'patch', 'minor', 'major'] as const;

/** A kind of release. */
export type Kind = (typeof kinds)[number];

/** The kind of release that the changesets of a workspace announce for each package they name. */
export async function announcedReleases(workspace: string): Promise<Map<string, Kind>> {
  const announced = new Map<string, Kind>();
  for (const { name, type } of (await readChangesets(workspace)).flatMap(({ releases }) => releases)) {
    const before = announced.get(name) ?? 'none';
    if (isEnough(type, before)) announced.set(name, type);
  }
  return announced;
}

/** Whether a kind of release is as much as another, or more. */
export function isEnough(kind: Kind, needed: Kind): boolean {
  return kinds.indexOf(kind) >= kinds.indexOf(needed);
}
