import type {
  Absence,
  CustomField,
  Employment,
  Person,
  SalaryHistoryEntry,
  TimeBookingDay,
  VariablePayment,
} from '@hr/schemas';
import type { Example } from '@hr/testing/pact';

// One or two of each, with all that the client checks. The values matter only where a state or a request names them.

export const personId = '4711';
export const otherId = '4712';
export const contractId = '1-77';

/** A custom field has one value; this one has one of each type, so that all are checked at once. */
export const customField = {
  name: 'Shirt',
  type: 'STRING',
  textValue: 'blue',
  numberValue: 42.5,
  booleanValue: true,
  dateValue: '2026-01-31',
  selection: ['M'],
} satisfies Example<CustomField>;

export const address = {
  street: 'Hauptstr.',
  houseNumber: '5a',
  additionalAddressInfo: 'c/o Meier',
  zipCode: '10115',
  city: 'Berlin',
  stateCode: 'DE-BE',
  country: 'DE',
};

export const postOfficeBox = {
  postOfficeBox: '10 20 30',
  additionalAddressInfo: 'Personal',
  zipCode: '68131',
  city: 'Mannheim',
  stateCode: 'DE-BW',
  country: 'DE',
};

export const bankDetails = { iban: 'DE06990860203354498609', bic: 'ZZSBDE8LXXX', payee: 'Erika Meier' };

export const employment = {
  payrollContractId: contractId,
  personGroupCode: '101',
  fullTime: true,
  permanent: false,
  start: '2021-07-01',
  end: '2026-12-31',
  fixedTermEndDate: '2026-12-31',
  workingHours: { daily: 7.7, weekly: 38.5, monthly: 166.83 },
  paymentTime: 'FIFTEENTH',
} satisfies Example<Employment>;

/** What the master system says of a person. */
export const masterData = {
  academicTitle: 'Dr.',
  firstName: 'Zoë',
  middleName: '',
  lastName: 'Kaya',
  birthName: 'Meier',
  prefixToLastName: 'von',
  titleOfNobility: 'Gräfin',
  suffixToLastName: 'jun.',
  gender: 'FEMALE',
  dateOfBirth: '1985-02-28',
  citizenship: 'DE',
  address,
  businessEmail: 'zoe.kaya@example.com',
  usualPlaceOfWork: 'Hannover, Werk 1',
  status: 'ACTIVE',
  groupEntryDate: '2021-07-01',
  groupExitDate: '2026-12-31',
  exitReasonId: '5',
  exitNoticeDate: '2026-09-30',
  expectedStartOfPension: '2052-03-01',
  employeeNumber: '20010',
  jobTitle: 'Bäckerin',
  legalEntity: { id: '2000' },
  groups: [{ id: 'produktion', type: 'COMPANY' }],
  managerId: '100002',
  customFields: [customField],
} satisfies Example<Person>;

export const person = {
  id: personId,
  ...masterData,
  bankDetails,
  keyNumber: '7000010',
  employments: [employment],
} satisfies Example<Person>;

export const otherPerson = {
  ...person,
  id: otherId,
  employments: [{ ...employment, payrollContractId: '1-78' }],
} satisfies Example<Person>;

/** What can be paid, all of it at once. */
export const values = { amount: 250, hours: 4.5, days: 2, hourlyFactor: 1.25, percentage: -10 };

export const payment = {
  payrollContractId: contractId,
  billingPeriod: '2026-01',
  correctionPeriod: '2025-12',
  compensationComponentId: 'BONUS',
  ...values,
} satisfies Example<VariablePayment>;

export const otherPayment = { ...payment, compensationComponentId: 'OVERTIME', amount: 75 };

export const salary = {
  payrollContractId: contractId,
  year: 2026,
  month: 1,
  totalSalary: 3356.59,
  baseSalary: 3330,
  values: [{ compensationComponentId: '2000', value: 3330 }],
} satisfies Example<SalaryHistoryEntry>;

export const otherSalary = { ...salary, year: 2025, month: 12 };

export const day = {
  date: '2026-01-15',
  targetTime: 7.42,
  bookedTime: 8,
  chargeableTime: 7.55,
  bookings: [{ time: '2026-01-15T07:27:00', key: '1' }],
} satisfies Example<TimeBookingDay>;

export const otherDay = {
  ...day,
  date: '2026-01-16',
  bookings: [{ time: '2026-01-16T07:30:00', key: '1' }],
} satisfies Example<TimeBookingDay>;

export const absence = {
  id: '4711-1',
  personId,
  startDate: '2026-01-12',
  endDate: '2026-01-16',
  amount: 5,
  key: '40',
} satisfies Example<Absence>;

export const otherAbsence = { ...absence, id: '4711-2', startDate: '2026-01-13', endDate: '2026-01-14' };
