import { currentName, operations, renames, type ListOperationId } from '@hr/schemas';
import { responseCheck } from '@hr/schemas/checks';
import { z } from 'zod';
import { kindOf } from '../contract/kind-of.ts';
import { inner, leafOf } from '../model/leaf.ts';
import { rowOf } from '../model/lists.ts';
import { NotTried, type Deviation } from './check.ts';

type FindingKind = 'fault' | 'former name' | 'undocumented field' | 'missing field' | 'other value';

/** What all elements of the lists have in common against their models, by path. */
interface Finding {
  readonly kind: FindingKind;
  readonly section: string;
  readonly operation: ListOperationId;
  /** Such as `[*].groups[*].type`. */
  readonly path: string;
  readonly expected: string;
  /** The kind of the first value. */
  readonly got: string;
  readonly request: string;
  count: number;
}

const MAX_FINDINGS = 1000;
const MAX_NAME = 80;

/** Counts deviations of elements from their models. It keeps no value. */
export class Census {
  readonly #found = new Map<string, Finding>();
  readonly #counts = new Map<string, number>();
  /** Sections whose models occurred. A post-office box is an address. */
  readonly #sections = new Set<string>();

  /** The function that takes the elements of a list. */
  of(operation: ListOperationId, request: string, changes = false): (element: unknown) => void {
    const { response, delta, section: own } = operations[operation] as OfList;
    const faultsOf = responseCheck(operation, { changes });
    let replaced: Set<string>;
    let sectionAt: Map<string, string>;

    const note = (kind: FindingKind, section: string, path: string, expected: string, got: string): void => {
      const key = `${kind} ${operation} ${path} ${expected}`;
      const finding = this.#found.get(key) ?? { kind, section, operation, path, expected, got, request, count: 0 };
      finding.count++;
      if (this.#found.size < MAX_FINDINGS) this.#found.set(key, finding);
    };
    const walk = (field: z.core.$ZodType, value: unknown, path: string, outer: string): void => {
      const place = `${operation} ${path}`;
      this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
      const part = inner(field);
      const found = sectionOf(part) ?? outer;
      // A model of changes has the section of its operation. Its fields are those of the element.
      const section = found === own ? (sectionOf(response) ?? outer) : found;
      sectionAt.set(path, section);
      const row = rowOf(value);
      if (part instanceof z.ZodArray && Array.isArray(value)) {
        for (const element of value) walk(part.element, element, `${path}[*]`, section);
      } else if (part instanceof z.ZodObject && row) {
        this.#sections.add(section);
        for (const [name, content] of Object.entries(row)) {
          const shown = `${path}.${name
            .slice(0, MAX_NAME)
            .toWellFormed()
            .replaceAll(/\p{Cc}/gu, '\uFFFD')}`;
          const current = currentNameIn(part, name);
          if (Object.hasOwn(part.shape, name)) walk(part.shape[name], content, shown, section);
          else if (current === undefined)
            note('undocumented field', section, shown, 'a documented field', kindOf(content));
          else {
            replaced.add(`${path}.${current}`);
            note('former name', '9', shown, `its current name ${current}`, 'the former name');
          }
        }
        // Section 2.1: always empty.
        if (section === '2.1' && row['middleName'])
          note('fault', section, `${path}.middleName`, 'an empty text', 'other text');
      } else if (typeof value === 'string' && part instanceof z.ZodString) {
        const { examples, values } = leafOf(part);
        if (!values && examples.length > 0 && !examples.includes(value))
          note('other value', outer, path, `${examples.join(', ')}, which the specification shows`, 'another value');
      }
    };
    return (element) => {
      [replaced, sectionAt] = [new Set(), new Map()];
      walk((changes && delta) || response, element, '[*]', '');
      for (const { pointer, code, detail } of faultsOf(element)) {
        const names = pointer.split('/').slice(1);
        const path = `[*]${names.map((name) => (/^\d+$/.test(name) ? '[*]' : `.${name}`)).join('')}`;
        if (code === 'required' && replaced.has(path)) continue;
        let value = element;
        for (const name of names) value = (value as Record<string, unknown> | undefined)?.[name];
        // The rule of an address is that of a post-office box. A missing field is a fault of what it is missing in.
        const section =
          code === 'rule' ? '2.3' : (sectionAt.get(path) ?? sectionAt.get(path.replace(/\.[^.]*$/, '')) ?? '');
        // Which fields are always present or null is an open point (section 2.11). Month 13 matches the pattern (section 8).
        const isMissing = (value ?? null) === null && /\.[^.[]*$/.test(path);
        const isMonth = code === 'wrong-format' && /^\d{4}-\d{2}$/.test(String(value));
        note(isMissing ? 'missing field' : isMonth ? 'other value' : 'fault', section, path, detail, kindOf(value));
      }
    };
  }

  /** The deviations of some kinds, as counts by path. @throws {NotTried} if no element has this section. */
  deviations(section: string, ...kinds: readonly FindingKind[]): Deviation[] {
    const model = section === '2.3' ? '2.2' : section;
    if (this.#sections.size === 0 || (model !== '9' && !this.#sections.has(model)))
      throw new NotTried('the lists have no such element');
    const found = [...this.#found.values()].filter((each) => kinds.includes(each.kind) && each.section === section);
    return found.map(({ kind, operation, path, expected, got, request, count }) => {
      const parent = path.replace(kind === 'other value' ? '' : /\.[^.[]*$/, '');
      const total = Math.max(count, this.#counts.get(`${operation} ${parent}`) ?? 0);
      const elements = count === total ? `all ${total} elements` : `${count} of ${total} elements`;
      return { place: path, expected, got: `${kind === 'fault' ? got : kind} in ${elements}`, request };
    });
  }

  /** The fields of an operation's elements, with their counts. */
  fields(operation: string): [path: string, count: number][] {
    const prefix = `${operation} `;
    return [...this.#counts].flatMap(([key, count]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), count]] : [],
    );
  }
}

interface OfList {
  readonly response: z.ZodType;
  readonly delta?: z.ZodType;
  readonly section: string;
}

/** The section that defines a model. */
export function sectionOf(model: z.ZodType): string | undefined {
  return model.meta()?.['section'] as string | undefined;
}

function currentNameIn(model: z.ZodObject, name: string): string | undefined {
  const id = model.meta()?.id?.replace('Delta', '') ?? '';
  return Object.hasOwn(renames, id) && Object.hasOwn(renames[id as keyof typeof renames], name)
    ? currentName(name)
    : undefined;
}
