// Written from the models by the tests: change these, then run `pnpm --filter @hr/schemas test -u`.
// oxlint-disable typescript/no-explicit-any, eslint/no-shadow, eslint/prefer-const
import {
  MAX_ISSUES,
  below,
  isInteger,
  isObject,
  isSound,
  notAllowed,
  outOfRange,
  report,
  unknownNames,
  wrongType,
  type ReportedIssue,
} from '../issue-report.ts';
import {
  atLeastOne,
  bounded,
  emptyBesidePostOfficeBox,
  hoursMinutes,
  inOrder,
  localDate,
  localDateTime,
  unicode,
  yearMonth,
} from '../value-rules.ts';

const pattern1 = /^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/;
const pattern2 = /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/;
const pattern3 = /^.+@.+$/;

function copyListPersonsPath(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  unknownNames(issues, object, []);
  return copy;
}

function copyUpdatePersonPath(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.id;
  copy.id = value;
  if (typeof value === 'string') {
    report(issues, unicode(value, 1, 255), 'id');
    report(issues, bounded(value, 1, 255), 'id');
  } else wrongType(issues, 'string', 'id');
  unknownNames(issues, object, ['id']);
  return copy;
}

function copySubmitVariablePaymentPath(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.contractId;
  copy.contractId = value;
  if (typeof value === 'string') {
    report(issues, unicode(value, 1, 255), 'contractId');
    report(issues, bounded(value, 1, 255), 'contractId');
  } else wrongType(issues, 'string', 'contractId');
  unknownNames(issues, object, ['contractId']);
  return copy;
}

function copyListAbsencesPath(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.personId;
  copy.personId = value;
  if (typeof value === 'string') {
    report(issues, unicode(value, 1, 255), 'personId');
    report(issues, bounded(value, 1, 255), 'personId');
  } else wrongType(issues, 'string', 'personId');
  unknownNames(issues, object, ['personId']);
  return copy;
}

function copyListPersonsQuery(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.changedSince;
  if (value !== undefined) {
    copy.changedSince = value;
    if (typeof value === 'string') {
      report(issues, localDate(value), 'changedSince');
    } else wrongType(issues, 'string', 'changedSince');
  }
  unknownNames(issues, object, ['changedSince']);
  return copy;
}

function copySubmitVariablePaymentQuery(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.billingPeriod;
  copy.billingPeriod = value;
  if (typeof value === 'string') {
    report(issues, yearMonth(value), 'billingPeriod');
  } else wrongType(issues, 'string', 'billingPeriod');
  unknownNames(issues, object, ['billingPeriod']);
  return copy;
}

function copyListVariablePaymentsQuery(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.billingPeriod;
  if (value !== undefined) {
    copy.billingPeriod = value;
    if (typeof value === 'string') {
      report(issues, yearMonth(value), 'billingPeriod');
    } else wrongType(issues, 'string', 'billingPeriod');
  }
  unknownNames(issues, object, ['billingPeriod']);
  return copy;
}

function copyListTimeBookingsQuery(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const before = issues.length;
  const copy: any = {};
  let value;
  value = object.from;
  if (value !== undefined) {
    copy.from = value;
    if (typeof value === 'string') {
      report(issues, localDate(value), 'from');
    } else wrongType(issues, 'string', 'from');
  }
  value = object.to;
  if (value !== undefined) {
    copy.to = value;
    if (typeof value === 'string') {
      report(issues, localDate(value), 'to');
    } else wrongType(issues, 'string', 'to');
  }
  value = object.changedSince;
  if (value !== undefined) {
    copy.changedSince = value;
    if (typeof value === 'string') {
      report(issues, localDate(value), 'changedSince');
    } else wrongType(issues, 'string', 'changedSince');
  }
  unknownNames(issues, object, ['from', 'to', 'changedSince']);
  if (!isSound(issues, before)) return undefined;
  report(issues, inOrder(copy));
  return copy;
}

function copyListSalaryHistoryQuery(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const before = issues.length;
  const copy: any = {};
  let value;
  value = object.from;
  if (value !== undefined) {
    copy.from = value;
    if (typeof value === 'string') {
      report(issues, yearMonth(value), 'from');
    } else wrongType(issues, 'string', 'from');
  }
  value = object.to;
  if (value !== undefined) {
    copy.to = value;
    if (typeof value === 'string') {
      report(issues, yearMonth(value), 'to');
    } else wrongType(issues, 'string', 'to');
  }
  unknownNames(issues, object, ['from', 'to']);
  if (!isSound(issues, before)) return undefined;
  report(issues, inOrder(copy));
  return copy;
}

function copyAddress(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const before = issues.length;
  const copy: any = {};
  let value;
  value = object.street;
  if (value !== undefined) {
    copy.street = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 0, 255), 'street');
      if (value.length > 255) report(issues, bounded(value, 0, 255), 'street');
    } else wrongType(issues, 'string', 'street');
  }
  value = object.houseNumber;
  if (value !== undefined) {
    copy.houseNumber = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 0, 20), 'houseNumber');
      if (value.length > 20) report(issues, bounded(value, 0, 20), 'houseNumber');
    } else wrongType(issues, 'string', 'houseNumber');
  }
  value = object.additionalAddressInfo;
  if (value !== undefined) {
    copy.additionalAddressInfo = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 0, 255), 'additionalAddressInfo');
      if (value.length > 255) report(issues, bounded(value, 0, 255), 'additionalAddressInfo');
    } else wrongType(issues, 'string', 'additionalAddressInfo');
  }
  value = object.postOfficeBox;
  if (value !== undefined) {
    copy.postOfficeBox = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 0, 20), 'postOfficeBox');
      if (value.length > 20) report(issues, bounded(value, 0, 20), 'postOfficeBox');
    } else wrongType(issues, 'string', 'postOfficeBox');
  }
  value = object.zipCode;
  if (value !== undefined) {
    copy.zipCode = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 0, 10), 'zipCode');
      if (value.length > 10) report(issues, bounded(value, 0, 10), 'zipCode');
    } else wrongType(issues, 'string', 'zipCode');
  }
  value = object.city;
  if (value !== undefined) {
    copy.city = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 0, 255), 'city');
      if (value.length > 255) report(issues, bounded(value, 0, 255), 'city');
    } else wrongType(issues, 'string', 'city');
  }
  value = object.stateCode;
  if (value !== undefined) {
    copy.stateCode = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 4, 6), 'stateCode');
      report(issues, bounded(value, 4, 6), 'stateCode');
    } else wrongType(issues, 'string', 'stateCode');
  }
  value = object.country;
  if (value !== undefined) {
    copy.country = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 2, 2), 'country');
      report(issues, bounded(value, 2, 2), 'country');
    } else wrongType(issues, 'string', 'country');
  }
  unknownNames(issues, object, [
    'street',
    'houseNumber',
    'additionalAddressInfo',
    'postOfficeBox',
    'zipCode',
    'city',
    'stateCode',
    'country',
  ]);
  if (!isSound(issues, before)) return undefined;
  report(issues, emptyBesidePostOfficeBox(copy, 'street'));
  report(issues, emptyBesidePostOfficeBox(copy, 'houseNumber'));
  return copy;
}

function copyBankDetails(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.iban;
  if (value !== undefined) {
    copy.iban = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 5, 34), 'iban');
      report(issues, bounded(value, 5, 34, pattern1), 'iban');
    } else wrongType(issues, 'string', 'iban');
  }
  value = object.bic;
  if (value !== undefined) {
    copy.bic = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 8, 11), 'bic');
      report(issues, bounded(value, 8, 11, pattern2), 'bic');
    } else wrongType(issues, 'string', 'bic');
  }
  value = object.payee;
  if (value !== undefined) {
    copy.payee = value;
    if (typeof value === 'string') {
      report(issues, unicode(value, 0, 70), 'payee');
      if (value.length > 70) report(issues, bounded(value, 0, 70), 'payee');
    } else wrongType(issues, 'string', 'payee');
  }
  unknownNames(issues, object, ['iban', 'bic', 'payee']);
  return copy;
}

function copyPersonPatch(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.addresses;
  if (value !== undefined) {
    copy.addresses = value;
    if (Array.isArray(value)) {
      const start = issues.length;
      const elements = (copy.addresses = [...value]);
      for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
        const value = elements[index];
        elements[index] = value;
        const start = issues.length;
        elements[index] = copyAddress(value, issues);
        below(issues, start, index);
      }
      below(issues, start, 'addresses');
    } else wrongType(issues, 'array', 'addresses');
  }
  value = object.bankDetails;
  if (value !== undefined) {
    copy.bankDetails = value;
    const start = issues.length;
    copy.bankDetails = copyBankDetails(value, issues);
    below(issues, start, 'bankDetails');
  }
  unknownNames(issues, object, ['addresses', 'bankDetails']);
  return copy;
}

function copyVariablePaymentRequest(object: any, issues: ReportedIssue[]): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const before = issues.length;
  const copy: any = {};
  let value;
  value = object.correctionPeriod;
  if (value !== undefined) {
    copy.correctionPeriod = value;
    if (typeof value === 'string') {
      report(issues, yearMonth(value), 'correctionPeriod');
    } else wrongType(issues, 'string', 'correctionPeriod');
  }
  value = object.compensationComponentId;
  copy.compensationComponentId = value;
  if (typeof value === 'string') {
    report(issues, unicode(value, 1, 255), 'compensationComponentId');
    report(issues, bounded(value, 1, 255), 'compensationComponentId');
  } else wrongType(issues, 'string', 'compensationComponentId');
  value = object.amount;
  if (value !== undefined) {
    copy.amount = value;
    if (Number.isFinite(value)) {
      if (value < -1000000000000) outOfRange(issues, 'too_small', -1000000000000, 'amount');
      if (value > 1000000000000) outOfRange(issues, 'too_big', 1000000000000, 'amount');
    } else wrongType(issues, 'number', 'amount');
  }
  value = object.hours;
  if (value !== undefined) {
    copy.hours = value;
    if (Number.isFinite(value)) {
      if (value < -1000000000000) outOfRange(issues, 'too_small', -1000000000000, 'hours');
      if (value > 1000000000000) outOfRange(issues, 'too_big', 1000000000000, 'hours');
    } else wrongType(issues, 'number', 'hours');
  }
  value = object.days;
  if (value !== undefined) {
    copy.days = value;
    if (Number.isFinite(value)) {
      if (value < -1000000000000) outOfRange(issues, 'too_small', -1000000000000, 'days');
      if (value > 1000000000000) outOfRange(issues, 'too_big', 1000000000000, 'days');
    } else wrongType(issues, 'number', 'days');
  }
  value = object.hourlyFactor;
  if (value !== undefined) {
    copy.hourlyFactor = value;
    if (Number.isFinite(value)) {
      if (value < -1000000000000) outOfRange(issues, 'too_small', -1000000000000, 'hourlyFactor');
      if (value > 1000000000000) outOfRange(issues, 'too_big', 1000000000000, 'hourlyFactor');
    } else wrongType(issues, 'number', 'hourlyFactor');
  }
  value = object.percentage;
  if (value !== undefined) {
    copy.percentage = value;
    if (Number.isFinite(value)) {
      if (value < -1000000000000) outOfRange(issues, 'too_small', -1000000000000, 'percentage');
      if (value > 1000000000000) outOfRange(issues, 'too_big', 1000000000000, 'percentage');
    } else wrongType(issues, 'number', 'percentage');
  }
  unknownNames(issues, object, [
    'correctionPeriod',
    'compensationComponentId',
    'amount',
    'hours',
    'days',
    'hourlyFactor',
    'percentage',
  ]);
  if (!isSound(issues, before)) return undefined;
  report(issues, atLeastOne(copy, ['amount', 'hours', 'days', 'hourlyFactor', 'percentage']));
  return copy;
}

function checkAddress(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  const before = issues.length;
  let value;
  value = object.street;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 255) report(issues, bounded(value, 0, 255), 'street');
    } else wrongType(issues, 'string', 'street');
  }
  value = object.houseNumber;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 20) report(issues, bounded(value, 0, 20), 'houseNumber');
    } else wrongType(issues, 'string', 'houseNumber');
  }
  value = object.additionalAddressInfo;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 255) report(issues, bounded(value, 0, 255), 'additionalAddressInfo');
    } else wrongType(issues, 'string', 'additionalAddressInfo');
  }
  value = object.postOfficeBox;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 20) report(issues, bounded(value, 0, 20), 'postOfficeBox');
    } else wrongType(issues, 'string', 'postOfficeBox');
  }
  value = object.zipCode;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 10) report(issues, bounded(value, 0, 10), 'zipCode');
    } else wrongType(issues, 'string', 'zipCode');
  }
  value = object.city;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 255) report(issues, bounded(value, 0, 255), 'city');
    } else wrongType(issues, 'string', 'city');
  }
  value = object.stateCode;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, bounded(value, 4, 6), 'stateCode');
    } else wrongType(issues, 'string', 'stateCode');
  }
  value = object.country;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, bounded(value, 2, 2), 'country');
    } else wrongType(issues, 'string', 'country');
  }
  if (!isSound(issues, before)) return;
  report(issues, emptyBesidePostOfficeBox(object, 'street'));
  report(issues, emptyBesidePostOfficeBox(object, 'houseNumber'));
}

function checkBankDetails(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.iban;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, bounded(value, 5, 34, pattern1), 'iban');
    } else wrongType(issues, 'string', 'iban');
  }
  value = object.bic;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, bounded(value, 8, 11, pattern2), 'bic');
    } else wrongType(issues, 'string', 'bic');
  }
  value = object.payee;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 70) report(issues, bounded(value, 0, 70), 'payee');
    } else wrongType(issues, 'string', 'payee');
  }
}

function checkLegalEntity(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.id;
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
}

function checkGroup(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.id;
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  value = object.type;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'string') wrongType(issues, 'string', 'type');
  }
}

function checkWorkingHours(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.daily;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'daily');
  }
  value = object.weekly;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'weekly');
  }
  value = object.monthly;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'monthly');
  }
}

function checkEmployment(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.payrollContractId;
  if (typeof value !== 'string') wrongType(issues, 'string', 'payrollContractId');
  value = object.personGroupCode;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'string') wrongType(issues, 'string', 'personGroupCode');
  }
  value = object.fullTime;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'boolean') wrongType(issues, 'boolean', 'fullTime');
  }
  value = object.permanent;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'boolean') wrongType(issues, 'boolean', 'permanent');
  }
  value = object.start;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'start');
    } else wrongType(issues, 'string', 'start');
  }
  value = object.end;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'end');
    } else wrongType(issues, 'string', 'end');
  }
  value = object.fixedTermEndDate;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'fixedTermEndDate');
    } else wrongType(issues, 'string', 'fixedTermEndDate');
  }
  value = object.workingHours;
  if (value !== undefined && value !== null) {
    const start = issues.length;
    checkWorkingHours(value, issues);
    below(issues, start, 'workingHours');
  }
  value = object.paymentTime;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'string') wrongType(issues, 'string', 'paymentTime');
  }
}

function checkCustomField(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.name;
  if (typeof value !== 'string') wrongType(issues, 'string', 'name');
  value = object.type;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'string') wrongType(issues, 'string', 'type');
  }
  value = object.textValue;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'string') wrongType(issues, 'string', 'textValue');
  }
  value = object.numberValue;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'numberValue');
  }
  value = object.booleanValue;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'boolean') wrongType(issues, 'boolean', 'booleanValue');
  }
  value = object.dateValue;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'dateValue');
    } else wrongType(issues, 'string', 'dateValue');
  }
  value = object.selection;
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      const start = issues.length;
      const elements = value;
      for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
        const value = elements[index];
        if (typeof value !== 'string') wrongType(issues, 'string', index);
      }
      below(issues, start, 'selection');
    } else wrongType(issues, 'array', 'selection');
  }
}

function checkPerson(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.id;
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  value = object.academicTitle;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 80) report(issues, bounded(value, 0, 80), 'academicTitle');
    } else wrongType(issues, 'string', 'academicTitle');
  }
  value = object.firstName;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 80) report(issues, bounded(value, 0, 80), 'firstName');
    } else wrongType(issues, 'string', 'firstName');
  }
  value = object.middleName;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 80) report(issues, bounded(value, 0, 80), 'middleName');
    } else wrongType(issues, 'string', 'middleName');
  }
  value = object.lastName;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 80) report(issues, bounded(value, 0, 80), 'lastName');
    } else wrongType(issues, 'string', 'lastName');
  }
  value = object.birthName;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 80) report(issues, bounded(value, 0, 80), 'birthName');
    } else wrongType(issues, 'string', 'birthName');
  }
  value = object.prefixToLastName;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 80) report(issues, bounded(value, 0, 80), 'prefixToLastName');
    } else wrongType(issues, 'string', 'prefixToLastName');
  }
  value = object.titleOfNobility;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 80) report(issues, bounded(value, 0, 80), 'titleOfNobility');
    } else wrongType(issues, 'string', 'titleOfNobility');
  }
  value = object.suffixToLastName;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 80) report(issues, bounded(value, 0, 80), 'suffixToLastName');
    } else wrongType(issues, 'string', 'suffixToLastName');
  }
  value = object.gender;
  if (value !== undefined && value !== null) {
    if (value !== 'MALE' && value !== 'FEMALE' && value !== 'INTERSEX' && value !== 'UNSPECIFIED')
      notAllowed(issues, value, ['MALE', 'FEMALE', 'INTERSEX', 'UNSPECIFIED'], 'gender');
  }
  value = object.dateOfBirth;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'dateOfBirth');
    } else wrongType(issues, 'string', 'dateOfBirth');
  }
  value = object.citizenship;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, bounded(value, 2, 2), 'citizenship');
    } else wrongType(issues, 'string', 'citizenship');
  }
  value = object.address;
  if (value !== undefined && value !== null) {
    const start = issues.length;
    checkAddress(value, issues);
    below(issues, start, 'address');
  }
  value = object.bankDetails;
  if (value !== undefined && value !== null) {
    const start = issues.length;
    checkBankDetails(value, issues);
    below(issues, start, 'bankDetails');
  }
  value = object.businessEmail;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, bounded(value, 0, 254, pattern3), 'businessEmail');
    } else wrongType(issues, 'string', 'businessEmail');
  }
  value = object.usualPlaceOfWork;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 33) report(issues, bounded(value, 0, 33), 'usualPlaceOfWork');
    } else wrongType(issues, 'string', 'usualPlaceOfWork');
  }
  value = object.status;
  if (value !== undefined && value !== null) {
    if (value !== 'ACTIVE' && value !== 'INACTIVE') notAllowed(issues, value, ['ACTIVE', 'INACTIVE'], 'status');
  }
  value = object.groupEntryDate;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'groupEntryDate');
    } else wrongType(issues, 'string', 'groupEntryDate');
  }
  value = object.groupExitDate;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'groupExitDate');
    } else wrongType(issues, 'string', 'groupExitDate');
  }
  value = object.exitReasonId;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 2) report(issues, bounded(value, 0, 2), 'exitReasonId');
    } else wrongType(issues, 'string', 'exitReasonId');
  }
  value = object.exitNoticeDate;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'exitNoticeDate');
    } else wrongType(issues, 'string', 'exitNoticeDate');
  }
  value = object.expectedStartOfPension;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'expectedStartOfPension');
    } else wrongType(issues, 'string', 'expectedStartOfPension');
  }
  value = object.employeeNumber;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 20) report(issues, bounded(value, 0, 20), 'employeeNumber');
    } else wrongType(issues, 'string', 'employeeNumber');
  }
  value = object.jobTitle;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      if (value.length > 400) report(issues, bounded(value, 0, 400), 'jobTitle');
    } else wrongType(issues, 'string', 'jobTitle');
  }
  value = object.legalEntity;
  if (value !== undefined && value !== null) {
    const start = issues.length;
    checkLegalEntity(value, issues);
    below(issues, start, 'legalEntity');
  }
  value = object.groups;
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      const start = issues.length;
      const elements = value;
      for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
        const value = elements[index];
        const start = issues.length;
        checkGroup(value, issues);
        below(issues, start, index);
      }
      below(issues, start, 'groups');
    } else wrongType(issues, 'array', 'groups');
  }
  value = object.managerId;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'string') wrongType(issues, 'string', 'managerId');
  }
  value = object.keyNumber;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'string') wrongType(issues, 'string', 'keyNumber');
  }
  value = object.employments;
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      const start = issues.length;
      const elements = value;
      for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
        const value = elements[index];
        const start = issues.length;
        checkEmployment(value, issues);
        below(issues, start, index);
      }
      below(issues, start, 'employments');
    } else wrongType(issues, 'array', 'employments');
  }
  value = object.customFields;
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      const start = issues.length;
      const elements = value;
      for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
        const value = elements[index];
        const start = issues.length;
        checkCustomField(value, issues);
        below(issues, start, index);
      }
      below(issues, start, 'customFields');
    } else wrongType(issues, 'array', 'customFields');
  }
  value = object.payrollContractIds;
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      const start = issues.length;
      const elements = value;
      for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
        const value = elements[index];
        if (typeof value !== 'string') wrongType(issues, 'string', index);
      }
      below(issues, start, 'payrollContractIds');
    } else wrongType(issues, 'array', 'payrollContractIds');
  }
}

function checkVariablePayment(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.payrollContractId;
  if (typeof value !== 'string') wrongType(issues, 'string', 'payrollContractId');
  value = object.billingPeriod;
  if (typeof value === 'string') {
    report(issues, yearMonth(value), 'billingPeriod');
  } else wrongType(issues, 'string', 'billingPeriod');
  value = object.correctionPeriod;
  if (typeof value === 'string') {
    report(issues, yearMonth(value), 'correctionPeriod');
  } else wrongType(issues, 'string', 'correctionPeriod');
  value = object.compensationComponentId;
  if (typeof value !== 'string') wrongType(issues, 'string', 'compensationComponentId');
  value = object.amount;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'amount');
  }
  value = object.hours;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'hours');
  }
  value = object.days;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'days');
  }
  value = object.hourlyFactor;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'hourlyFactor');
  }
  value = object.percentage;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'percentage');
  }
}

function checkTimeBooking(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.time;
  if (typeof value === 'string') {
    report(issues, localDateTime(value), 'time');
  } else wrongType(issues, 'string', 'time');
  value = object.key;
  if (typeof value !== 'string') wrongType(issues, 'string', 'key');
}

function checkTimeBookingDay(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.date;
  if (typeof value === 'string') {
    report(issues, localDate(value), 'date');
  } else wrongType(issues, 'string', 'date');
  value = object.targetTime;
  if (value !== undefined && value !== null) {
    if (Number.isFinite(value)) {
      report(issues, hoursMinutes(value), 'targetTime');
    } else wrongType(issues, 'number', 'targetTime');
  }
  value = object.bookedTime;
  if (value !== undefined && value !== null) {
    if (Number.isFinite(value)) {
      report(issues, hoursMinutes(value), 'bookedTime');
    } else wrongType(issues, 'number', 'bookedTime');
  }
  value = object.chargeableTime;
  if (value !== undefined && value !== null) {
    if (Number.isFinite(value)) {
      report(issues, hoursMinutes(value), 'chargeableTime');
    } else wrongType(issues, 'number', 'chargeableTime');
  }
  value = object.bookings;
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      const start = issues.length;
      const elements = value;
      for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
        const value = elements[index];
        const start = issues.length;
        checkTimeBooking(value, issues);
        below(issues, start, index);
      }
      below(issues, start, 'bookings');
    } else wrongType(issues, 'array', 'bookings');
  }
}

function checkTimeBookingPerson(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.personId;
  if (typeof value !== 'string') wrongType(issues, 'string', 'personId');
  value = object.days;
  if (Array.isArray(value)) {
    const start = issues.length;
    const elements = value;
    for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
      const value = elements[index];
      const start = issues.length;
      checkTimeBookingDay(value, issues);
      below(issues, start, index);
    }
    below(issues, start, 'days');
  } else wrongType(issues, 'array', 'days');
}

function checkSalaryValue(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.compensationComponentId;
  if (typeof value !== 'string') wrongType(issues, 'string', 'compensationComponentId');
  value = object.value;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'value');
  }
}

function checkSalaryHistoryEntry(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.payrollContractId;
  if (typeof value !== 'string') wrongType(issues, 'string', 'payrollContractId');
  value = object.year;
  if (Number.isSafeInteger(value) || isInteger(issues, value, 'year')) {
  }
  value = object.month;
  if (Number.isSafeInteger(value) || isInteger(issues, value, 'month')) {
    if (value < 1) outOfRange(issues, 'too_small', 1, 'month');
    if (value > 12) outOfRange(issues, 'too_big', 12, 'month');
  }
  value = object.totalSalary;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'totalSalary');
  }
  value = object.baseSalary;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'baseSalary');
  }
  value = object.values;
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      const start = issues.length;
      const elements = value;
      for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
        const value = elements[index];
        const start = issues.length;
        checkSalaryValue(value, issues);
        below(issues, start, index);
      }
      below(issues, start, 'values');
    } else wrongType(issues, 'array', 'values');
  }
}

function checkAbsence(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.id;
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  value = object.personId;
  if (typeof value !== 'string') wrongType(issues, 'string', 'personId');
  value = object.startDate;
  if (typeof value === 'string') {
    report(issues, localDate(value), 'startDate');
  } else wrongType(issues, 'string', 'startDate');
  value = object.endDate;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'endDate');
    } else wrongType(issues, 'string', 'endDate');
  }
  value = object.amount;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'amount');
  }
  value = object.key;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'string') wrongType(issues, 'string', 'key');
  }
}

function checkPersonDelta(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  checkPerson(object, issues);
  value = object.deleted;
  if (value !== undefined && value !== null) {
    if (value !== true) notAllowed(issues, value, [true], 'deleted');
  }
  value = object.erased;
  if (value !== undefined && value !== null) {
    if (value !== true) notAllowed(issues, value, [true], 'erased');
  }
}

function checkTimeBookingDayDelta(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  checkTimeBookingDay(object, issues);
  value = object.deleted;
  if (value !== undefined && value !== null) {
    if (value !== true) notAllowed(issues, value, [true], 'deleted');
  }
}

function checkTimeBookingPersonDelta(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.personId;
  if (typeof value !== 'string') wrongType(issues, 'string', 'personId');
  value = object.days;
  if (Array.isArray(value)) {
    const start = issues.length;
    const elements = value;
    for (let index = 0; index < elements.length && issues.length <= MAX_ISSUES; index++) {
      const value = elements[index];
      const start = issues.length;
      checkTimeBookingDayDelta(value, issues);
      below(issues, start, index);
    }
    below(issues, start, 'days');
  } else wrongType(issues, 'array', 'days');
}

function checkAbsenceDelta(object: any, issues: ReportedIssue[]): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = object.id;
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  value = object.personId;
  if (typeof value !== 'string') wrongType(issues, 'string', 'personId');
  value = object.startDate;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'startDate');
    } else wrongType(issues, 'string', 'startDate');
  }
  value = object.endDate;
  if (value !== undefined && value !== null) {
    if (typeof value === 'string') {
      report(issues, localDate(value), 'endDate');
    } else wrongType(issues, 'string', 'endDate');
  }
  value = object.amount;
  if (value !== undefined && value !== null) {
    if (!Number.isFinite(value)) wrongType(issues, 'number', 'amount');
  }
  value = object.key;
  if (value !== undefined && value !== null) {
    if (typeof value !== 'string') wrongType(issues, 'string', 'key');
  }
  value = object.deleted;
  if (value !== undefined && value !== null) {
    if (value !== true) notAllowed(issues, value, [true], 'deleted');
  }
}

export const pathChecks = {
  listPersons: copyListPersonsPath,
  updatePerson: copyUpdatePersonPath,
  submitVariablePayment: copySubmitVariablePaymentPath,
  listVariablePayments: copySubmitVariablePaymentPath,
  listTimeBookings: copyListPersonsPath,
  listSalaryHistory: copySubmitVariablePaymentPath,
  listAbsences: copyListAbsencesPath,
};

export const queryChecks = {
  listPersons: copyListPersonsQuery,
  updatePerson: copyListPersonsPath,
  submitVariablePayment: copySubmitVariablePaymentQuery,
  listVariablePayments: copyListVariablePaymentsQuery,
  listTimeBookings: copyListTimeBookingsQuery,
  listSalaryHistory: copyListSalaryHistoryQuery,
  listAbsences: copyListTimeBookingsQuery,
};

export const bodyChecks = {
  updatePerson: copyPersonPatch,
  submitVariablePayment: copyVariablePaymentRequest,
};

export const responseChecks = {
  listPersons: checkPerson,
  updatePerson: checkPerson,
  submitVariablePayment: checkVariablePayment,
  listVariablePayments: checkVariablePayment,
  listTimeBookings: checkTimeBookingPerson,
  listSalaryHistory: checkSalaryHistoryEntry,
  listAbsences: checkAbsence,
};

export const changeChecks = {
  listPersons: checkPersonDelta,
  listTimeBookings: checkTimeBookingPersonDelta,
  listAbsences: checkAbsenceDelta,
};

/** The fields of a person, in the order of the specification. */
export const personFields = [
  'id',
  'academicTitle',
  'firstName',
  'middleName',
  'lastName',
  'birthName',
  'prefixToLastName',
  'titleOfNobility',
  'suffixToLastName',
  'gender',
  'dateOfBirth',
  'citizenship',
  'address',
  'bankDetails',
  'businessEmail',
  'usualPlaceOfWork',
  'status',
  'groupEntryDate',
  'groupExitDate',
  'exitReasonId',
  'exitNoticeDate',
  'expectedStartOfPension',
  'employeeNumber',
  'jobTitle',
  'legalEntity',
  'groups',
  'managerId',
  'keyNumber',
  'employments',
  'customFields',
  'payrollContractIds',
] as const;
