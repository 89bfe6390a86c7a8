import { matchesAbsenceFilter } from '@hr/schemas/rules';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PersonQuery } from '../src/mirror/index.ts';
import { mirrorCloud, newMirror } from './mirror-cloud.ts';

const { fake, hr } = mirrorCloud();
const names: Record<string, [string, string]> = {
  'P-1': ['Jürgen', 'Müller'],
  p2: ['Anna-Lena', 'Mueller'],
  p3: ['Anna', 'Muller'],
  p4: ["Sinéad O'Neill", 'Strauß'],
  p5: ['Łukasz', 'Søndergård'],
  p6: ['Þóra', 'Æsir'],
  p7: ['Işıl', 'ÇELİK'],
  p8: ['Νίκος', 'Παπαδόπουλος'],
  p9: ['Юлия', 'Фёдорова'],
  'p\u{1F600}': ['𝒁oe', 'Bach'],
  p\uFFFD: ['Zoë', 'Bach'],
};
