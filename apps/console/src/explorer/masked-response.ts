import { maskBankDetails } from '../model/masked-bank-details.ts';

export const MAX_ELEMENTS = 20;
const HIDDEN = '••••';
/** What leads to a door or a letter box. */
const addressFields = new Set(['street', 'houseNumber', 'additionalAddressInfo', 'postOfficeBox', 'zipCode']);
/** An IBAN has 15 characters at least, and people write it with spaces. */
const ibanPattern = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}\b/gi;

/** A response as the browser may see it: without bank details and addresses, and without what is beyond the first elements of its arrays. */
export function maskedResponse(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    return addressFields.has(name) && value !== '' ? HIDDEN : value.replaceAll(ibanPattern, HIDDEN);
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ELEMENTS).map((element) => maskedResponse(element, name));
    return value.length > MAX_ELEMENTS ? [...shown, `… ${value.length - MAX_ELEMENTS}`] : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (name === 'bankDetails') return maskedResponse(maskBankDetails(value));
  return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, maskedResponse(property, key)]));
}
