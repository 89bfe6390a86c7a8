import type { Person, PersonPatch } from '../generated/models.ts';

/**
 * Returns a copy of a person with a patch applied (section 4.1). Sent properties replace the stored ones completely.
 * The first address becomes the address of the person; an empty list clears it.
 */
export function applyPatch(person: Person, patch: PersonPatch): Person {
  const { address, ...rest } = person;
  const first = patch.addresses ? patch.addresses[0] : address;
  return {
    ...rest,
    ...(first && { address: first }),
    ...(patch.bankDetails && { bankDetails: patch.bankDetails }),
  };
}
