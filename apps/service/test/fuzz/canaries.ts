/** In every text that is stored: names, addresses, bank details, key numbers, ids. */
const STORED = 'CANARYDB';
/** In every text that only operators may see. */
export const OPERATORS = 'CANARYOP';
/** In texts that requests bring. */
export const SENT = 'CANARYRQ';
/** A salary and an amount; no other number has these digits. */
const STORED_NUMBER = 914_273.25;

/** Whether a text has a value in it. */
export function tellsValue(text: string): boolean {
  return [STORED, OPERATORS, SENT, String(STORED_NUMBER)].some((canary) => text.includes(canary));
}

export const personIds = [1, 2, 3].map((number) => `p-${STORED}-${number}`);
/** Persons for erasing. */
export const sparePersonIds = Array.from({ length: 20 }, (_, number) => `p-${STORED}-spare-${number}`);
export const contractIds = [1, 2, 3].map((number) => `c/${STORED} ${number}ä`);

/** A feed in which every value is a canary. */
export const canaryFeed: readonly object[] = [...personIds, ...sparePersonIds].flatMap((id, index) => {
  const payrollContractId = contractIds[index] ?? `c-${STORED}-${index}`;
  const text = `${STORED} ${index}`;
  return [
    {
      kind: 'person',
      id,
      firstName: text,
      lastName: text,
      birthName: text,
      address: { street: `${text}-Straße`, houseNumber: `${index}`, zipCode: STORED, city: text, country: 'DE' },
      businessEmail: `${STORED}@example.com`,
      jobTitle: text,
      employeeNumber: text,
      customFields: [{ name: text, type: 'STRING', textValue: text }],
    },
    { kind: 'bankDetails', personId: id, iban: `DE00${STORED}${index}`, bic: STORED, payee: text },
    { kind: 'keyNumber', personId: id, keyNumber: text },
    { kind: 'mapping', personId: id, payrollContractId },
    { kind: 'employment', payrollContractId, masterCostCenter: `${OPERATORS} ${index}` },
    { kind: 'salary', payrollContractId, year: 2026, month: 1, totalSalary: STORED_NUMBER, baseSalary: STORED_NUMBER },
    {
      kind: 'timeDay',
      personId: id,
      date: '2026-01-05',
      bookedTime: 7.3,
      bookings: [{ time: '2026-01-05T08:00:00', key: text }],
    },
    { kind: 'absence', id: `a-${STORED}-${index}`, personId: id, startDate: '2026-01-01', key: text },
  ];
});
