import { printParseErrorCode, visit } from 'jsonc-parser';
import { SourceError, type Edit, type FileFindings, type Finding } from './file-findings.ts';
import { fieldsOfApi, formerNames, hasOtherShape, modelOfFields, type RenamedModel } from './renamed-model.ts';

interface Key {
  readonly name: string;
  /** Of the quoted key. */
  readonly start: number;
  readonly end: number;
}

/** An open object or array. */
interface Open {
  /** The model that the field above it has in the API. */
  readonly place: RenamedModel | undefined;
  readonly keys: Key[];
  /** The keys with objects or arrays. */
  readonly nested: string[];
  /** Whether it is a table from former to current names. */
  isTable: boolean;
}

/**
 * Finds former names in JSON, with or without comments.
 *
 * @throws {SourceError} If the text is not JSON.
 */
export function renameInJson(text: string): FileFindings {
  const findings: Finding[] = [];
  const edits: Edit[] = [];
  const open: Open[] = [];
  const placeOfNext = (): RenamedModel | undefined => {
    const outer = open.at(-1);
    return outer && (outer.keys.length > 0 ? fieldsOfApi.get(outer.keys.at(-1)?.name ?? '') : outer.place);
  };

  const begin = (): void => {
    const outer = open.at(-1);
    const field = outer?.keys.at(-1)?.name;
    if (field !== undefined) outer?.nested.push(field);
    open.push({ place: placeOfNext(), keys: [], nested: [], isTable: false });
  };

  visit(
    // The parser takes a byte order mark for a value; a space has the same length.
    text.replace(/^\uFEFF/, ' '),
    {
      onObjectBegin: begin,
      onArrayBegin: begin,
      onArrayEnd: () => void open.pop(),
      onObjectProperty(name, start, length) {
        open.at(-1)?.keys.push({ name, start, end: start + length });
      },
      onObjectEnd() {
        const { keys, nested, place, isTable } = open.pop() as Open;
        const names = keys.map(({ name }) => name);
        const candidate = modelOfFields(names, place) ?? modelOfFields(names);
        const model = candidate && !isTable && !hasOtherShape(candidate, nested) ? candidate : undefined;
        for (const { name, start, end } of keys) {
          const current = model?.names.get(name) ?? formerNames.get(name);
          if (current === undefined) continue;
          const verdict = !model?.names.has(name) ? 'unclear' : names.includes(current) ? 'both' : 'rename';
          findings.push({ at: start, former: name, current, verdict });
          if (verdict === 'rename') edits.push({ start, end, text: JSON.stringify(current) });
        }
      },
      onLiteralValue(value: unknown, at) {
        const object = open.at(-1);
        const key = object?.keys.at(-1)?.name;
        if (object && key !== undefined && formerNames.get(key) === value) object.isTable = true;
        const current = typeof value === 'string' ? formerNames.get(value) : undefined;
        if (current !== undefined) findings.push({ at, former: value as string, current, verdict: 'text' });
      },
      onError(code, offset) {
        // Such as CommaExpected.
        throw new SourceError(
          offset,
          printParseErrorCode(code).replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
        );
      },
    },
    { allowTrailingComma: true },
  );
  return { findings: findings.toSorted((one, other) => one.at - other.at), edits };
}
