// Written from the models by the tests: change these, then run `pnpm --filter @hr/schemas test -u`.
// oxlint-disable typescript/no-explicit-any, eslint/no-shadow, eslint/prefer-const
import {
  below,
  fieldOf,
  isInteger,
  isObject,
  isSound,
  notAllowed,
  outOfRange,
  report,
  unknownNames,
  wrongType,
  type IssueList,
} from '../issue-report.ts';
import {
  atLeastOne,
  bounded,
  cursor,
  emptyBeside,
  endpointUrl,
  hoursMinutes,
  inOrder,
  localDate,
  localDateTime,
  oneStart,
  significantDigits,
  unicode,
  waitSeconds,
  yearMonth,
} from '../value-rules.ts';

const pattern1 = /^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/;
const pattern2 = /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/;
const pattern3 = /^.+@.+$/;

function copyListPersonsPath(object: any, issues: IssueList): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  unknownNames(issues, object, []);
  return copy;
}

function copyUpdatePersonPath(object: any, issues: IssueList): any {
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

function copySubmitVariablePaymentPath(object: any, issues: IssueList): any {
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

function copyListAbsencesPath(object: any, issues: IssueList): any {
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

function copyListWebhookDeliveriesPath(object: any, issues: IssueList): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.endpointId;
  copy.endpointId = value;
  if (typeof value === 'string') {
    report(issues, unicode(value, 1, 255), 'endpointId');
    report(issues, bounded(value, 1, 255), 'endpointId');
  } else wrongType(issues, 'string', 'endpointId');
  unknownNames(issues, object, ['endpointId']);
  return copy;
}

function copyListPersonsQuery(object: any, issues: IssueList): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const before = issues.length;
  const copy: any = {};
  let value;
  value = object.changedSince;
  if (value !== undefined) {
    copy.changedSince = value;
    if (typeof value === 'string') {
      report(issues, localDate(value), 'changedSince');
    } else wrongType(issues, 'string', 'changedSince');
  }
  value = object.after;
  if (value !== undefined) {
    copy.after = value;
    if (typeof value === 'string') {
      report(issues, cursor(value), 'after');
    } else wrongType(issues, 'string', 'after');
  }
  unknownNames(issues, object, ['changedSince', 'after']);
  if (!isSound(issues, before)) return undefined;
  report(issues, oneStart(copy));
  return copy;
}

function copySubmitVariablePaymentQuery(object: any, issues: IssueList): any {
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

function copyListVariablePaymentsQuery(object: any, issues: IssueList): any {
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

function copyListVariablePaymentDecisionsQuery(object: any, issues: IssueList): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.after;
  if (value !== undefined) {
    copy.after = value;
    if (typeof value === 'string') {
      report(issues, cursor(value), 'after');
    } else wrongType(issues, 'string', 'after');
  }
  unknownNames(issues, object, ['after']);
  return copy;
}

function copyListTimeBookingsQuery(object: any, issues: IssueList): any {
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
  value = object.after;
  if (value !== undefined) {
    copy.after = value;
    if (typeof value === 'string') {
      report(issues, cursor(value), 'after');
    } else wrongType(issues, 'string', 'after');
  }
  unknownNames(issues, object, ['from', 'to', 'changedSince', 'after']);
  if (!isSound(issues, before)) return undefined;
  report(issues, inOrder(copy));
  report(issues, oneStart(copy));
  return copy;
}

function copyListSalaryHistoryQuery(object: any, issues: IssueList): any {
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

function copyListAbsencesQuery(object: any, issues: IssueList): any {
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

function copyGetChangesQuery(object: any, issues: IssueList): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.after;
  if (value !== undefined) {
    copy.after = value;
    if (typeof value === 'string') {
      report(issues, cursor(value), 'after');
    } else wrongType(issues, 'string', 'after');
  }
  value = object.wait;
  if (value !== undefined) {
    copy.wait = value;
    if (typeof value === 'string') {
      report(issues, waitSeconds(value), 'wait');
    } else wrongType(issues, 'string', 'wait');
  }
  unknownNames(issues, object, ['after', 'wait']);
  return copy;
}

function copyAddress(object: any, issues: IssueList): any {
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
  report(issues, emptyBeside(copy, 'postOfficeBox', 'street'));
  report(issues, emptyBeside(copy, 'postOfficeBox', 'houseNumber'));
  return copy;
}

function copyBankDetails(object: any, issues: IssueList): any {
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

function copyPersonPatch(object: any, issues: IssueList): any {
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
      for (let index = 0; index < elements.length && !issues.isDone; index++) {
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

function copyVariablePaymentRequest(object: any, issues: IssueList): any {
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
      report(issues, significantDigits(value), 'amount');
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

function copyNewWebhookEndpoint(object: any, issues: IssueList): any {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return undefined;
  }
  const copy: any = {};
  let value;
  value = object.url;
  copy.url = value;
  if (typeof value === 'string') {
    report(issues, unicode(value, 0, 2000), 'url');
    if (value.length > 2000) report(issues, bounded(value, 0, 2000), 'url');
    report(issues, endpointUrl(value), 'url');
  } else wrongType(issues, 'string', 'url');
  unknownNames(issues, object, ['url']);
  return copy;
}

function checkAddress(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  const before = issues.length;
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'street':
      case 'additionalAddressInfo':
      case 'city': {
        if (typeof value === 'string') {
          if (value.length > 255) report(issues, bounded(value, 0, 255), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'houseNumber':
      case 'postOfficeBox': {
        if (typeof value === 'string') {
          if (value.length > 20) report(issues, bounded(value, 0, 20), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'zipCode': {
        if (typeof value === 'string') {
          if (value.length > 10) report(issues, bounded(value, 0, 10), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'stateCode': {
        if (typeof value === 'string') {
          report(issues, bounded(value, 4, 6), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'country': {
        if (typeof value === 'string') {
          report(issues, bounded(value, 2, 2), key);
        } else wrongType(issues, 'string', key);
        break;
      }
    }
  }
  if (!isSound(issues, before)) return;
  report(issues, emptyBeside(object, 'postOfficeBox', 'street'));
  report(issues, emptyBeside(object, 'postOfficeBox', 'houseNumber'));
}

function checkBankDetails(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'iban': {
        if (typeof value === 'string') {
          report(issues, bounded(value, 5, 34, pattern1), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'bic': {
        if (typeof value === 'string') {
          report(issues, bounded(value, 8, 11, pattern2), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'payee': {
        if (typeof value === 'string') {
          if (value.length > 70) report(issues, bounded(value, 0, 70), key);
        } else wrongType(issues, 'string', key);
        break;
      }
    }
  }
}

function checkLegalEntity(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'id');
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
}

function checkGroup(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'id');
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'type': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
    }
  }
}

function checkWorkingHours(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'daily':
      case 'weekly':
      case 'monthly': {
        if (!Number.isFinite(value)) wrongType(issues, 'number', key);
        break;
      }
    }
  }
}

function checkEmployment(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'payrollContractId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'payrollContractId');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'personGroupCode':
      case 'paymentTime': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
      case 'fullTime':
      case 'permanent': {
        if (typeof value !== 'boolean') wrongType(issues, 'boolean', key);
        break;
      }
      case 'start':
      case 'end':
      case 'fixedTermEndDate': {
        if (typeof value === 'string') {
          report(issues, localDate(value), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'workingHours': {
        const start = issues.length;
        checkWorkingHours(value, issues);
        below(issues, start, key);
        break;
      }
    }
  }
}

function checkCustomField(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'name');
  if (typeof value !== 'string') wrongType(issues, 'string', 'name');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'type':
      case 'textValue': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
      case 'numberValue': {
        if (!Number.isFinite(value)) wrongType(issues, 'number', key);
        break;
      }
      case 'booleanValue': {
        if (typeof value !== 'boolean') wrongType(issues, 'boolean', key);
        break;
      }
      case 'dateValue': {
        if (typeof value === 'string') {
          report(issues, localDate(value), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'selection': {
        if (Array.isArray(value)) {
          const start = issues.length;
          const elements = value;
          for (let index = 0; index < elements.length && !issues.isDone; index++) {
            const value = elements[index];
            if (typeof value !== 'string') wrongType(issues, 'string', index);
          }
          below(issues, start, key);
        } else wrongType(issues, 'array', key);
        break;
      }
    }
  }
}

function checkPerson(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'id');
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'academicTitle':
      case 'firstName':
      case 'middleName':
      case 'lastName':
      case 'birthName':
      case 'prefixToLastName':
      case 'titleOfNobility':
      case 'suffixToLastName': {
        if (typeof value === 'string') {
          if (value.length > 80) report(issues, bounded(value, 0, 80), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'gender': {
        if (value !== 'MALE' && value !== 'FEMALE' && value !== 'INTERSEX' && value !== 'UNSPECIFIED')
          notAllowed(issues, value, ['MALE', 'FEMALE', 'INTERSEX', 'UNSPECIFIED'], key);
        break;
      }
      case 'dateOfBirth':
      case 'groupEntryDate':
      case 'groupExitDate':
      case 'exitNoticeDate':
      case 'expectedStartOfPension': {
        if (typeof value === 'string') {
          report(issues, localDate(value), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'citizenship': {
        if (typeof value === 'string') {
          report(issues, bounded(value, 2, 2), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'address': {
        const start = issues.length;
        checkAddress(value, issues);
        below(issues, start, key);
        break;
      }
      case 'bankDetails': {
        const start = issues.length;
        checkBankDetails(value, issues);
        below(issues, start, key);
        break;
      }
      case 'businessEmail': {
        if (typeof value === 'string') {
          report(issues, bounded(value, 0, 254, pattern3), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'usualPlaceOfWork': {
        if (typeof value === 'string') {
          if (value.length > 33) report(issues, bounded(value, 0, 33), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'status': {
        if (value !== 'ACTIVE' && value !== 'INACTIVE') notAllowed(issues, value, ['ACTIVE', 'INACTIVE'], key);
        break;
      }
      case 'exitReasonId': {
        if (typeof value === 'string') {
          if (value.length > 2) report(issues, bounded(value, 0, 2), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'employeeNumber': {
        if (typeof value === 'string') {
          if (value.length > 20) report(issues, bounded(value, 0, 20), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'jobTitle': {
        if (typeof value === 'string') {
          if (value.length > 400) report(issues, bounded(value, 0, 400), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'legalEntity': {
        const start = issues.length;
        checkLegalEntity(value, issues);
        below(issues, start, key);
        break;
      }
      case 'groups': {
        if (Array.isArray(value)) {
          const start = issues.length;
          const elements = value;
          for (let index = 0; index < elements.length && !issues.isDone; index++) {
            const value = elements[index];
            const start = issues.length;
            checkGroup(value, issues);
            below(issues, start, index);
          }
          below(issues, start, key);
        } else wrongType(issues, 'array', key);
        break;
      }
      case 'managerId':
      case 'keyNumber': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
      case 'employments': {
        if (Array.isArray(value)) {
          const start = issues.length;
          const elements = value;
          for (let index = 0; index < elements.length && !issues.isDone; index++) {
            const value = elements[index];
            const start = issues.length;
            checkEmployment(value, issues);
            below(issues, start, index);
          }
          below(issues, start, key);
        } else wrongType(issues, 'array', key);
        break;
      }
      case 'customFields': {
        if (Array.isArray(value)) {
          const start = issues.length;
          const elements = value;
          for (let index = 0; index < elements.length && !issues.isDone; index++) {
            const value = elements[index];
            const start = issues.length;
            checkCustomField(value, issues);
            below(issues, start, index);
          }
          below(issues, start, key);
        } else wrongType(issues, 'array', key);
        break;
      }
      case 'payrollContractIds': {
        if (Array.isArray(value)) {
          const start = issues.length;
          const elements = value;
          for (let index = 0; index < elements.length && !issues.isDone; index++) {
            const value = elements[index];
            if (typeof value !== 'string') wrongType(issues, 'string', index);
          }
          below(issues, start, key);
        } else wrongType(issues, 'array', key);
        break;
      }
    }
  }
}

function checkVariablePayment(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'payrollContractId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'payrollContractId');
  value = fieldOf(object, 'billingPeriod');
  if (typeof value === 'string') {
    report(issues, yearMonth(value), 'billingPeriod');
  } else wrongType(issues, 'string', 'billingPeriod');
  value = fieldOf(object, 'correctionPeriod');
  if (typeof value === 'string') {
    report(issues, yearMonth(value), 'correctionPeriod');
  } else wrongType(issues, 'string', 'correctionPeriod');
  value = fieldOf(object, 'compensationComponentId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'compensationComponentId');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'amount':
      case 'hours':
      case 'days':
      case 'hourlyFactor':
      case 'percentage': {
        if (!Number.isFinite(value)) wrongType(issues, 'number', key);
        break;
      }
    }
  }
}

function checkVariablePaymentDecision(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'payrollContractId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'payrollContractId');
  value = fieldOf(object, 'billingPeriod');
  if (typeof value === 'string') {
    report(issues, yearMonth(value), 'billingPeriod');
  } else wrongType(issues, 'string', 'billingPeriod');
  value = fieldOf(object, 'correctionPeriod');
  if (typeof value === 'string') {
    report(issues, yearMonth(value), 'correctionPeriod');
  } else wrongType(issues, 'string', 'correctionPeriod');
  value = fieldOf(object, 'compensationComponentId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'compensationComponentId');
  value = fieldOf(object, 'state');
  if (typeof value !== 'string') wrongType(issues, 'string', 'state');
  value = fieldOf(object, 'decidedAt');
  if (typeof value !== 'string') wrongType(issues, 'string', 'decidedAt');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'amount':
      case 'hours':
      case 'days':
      case 'hourlyFactor':
      case 'percentage': {
        if (!Number.isFinite(value)) wrongType(issues, 'number', key);
        break;
      }
      case 'idempotencyKey':
      case 'reason': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
    }
  }
}

function checkTimeBooking(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'time');
  if (typeof value === 'string') {
    report(issues, localDateTime(value), 'time');
  } else wrongType(issues, 'string', 'time');
  value = fieldOf(object, 'key');
  if (typeof value !== 'string') wrongType(issues, 'string', 'key');
}

function checkTimeBookingDay(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'date');
  if (typeof value === 'string') {
    report(issues, localDate(value), 'date');
  } else wrongType(issues, 'string', 'date');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'targetTime':
      case 'bookedTime':
      case 'chargeableTime': {
        if (Number.isFinite(value)) {
          report(issues, hoursMinutes(value), key);
        } else wrongType(issues, 'number', key);
        break;
      }
      case 'bookings': {
        if (Array.isArray(value)) {
          const start = issues.length;
          const elements = value;
          for (let index = 0; index < elements.length && !issues.isDone; index++) {
            const value = elements[index];
            const start = issues.length;
            checkTimeBooking(value, issues);
            below(issues, start, index);
          }
          below(issues, start, key);
        } else wrongType(issues, 'array', key);
        break;
      }
    }
  }
}

function checkTimeBookingPerson(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'personId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'personId');
  value = fieldOf(object, 'days');
  if (Array.isArray(value)) {
    const start = issues.length;
    const elements = value;
    for (let index = 0; index < elements.length && !issues.isDone; index++) {
      const value = elements[index];
      const start = issues.length;
      checkTimeBookingDay(value, issues);
      below(issues, start, index);
    }
    below(issues, start, 'days');
  } else wrongType(issues, 'array', 'days');
}

function checkSalaryValue(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'compensationComponentId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'compensationComponentId');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'value': {
        if (!Number.isFinite(value)) wrongType(issues, 'number', key);
        break;
      }
    }
  }
}

function checkSalaryHistoryEntry(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'payrollContractId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'payrollContractId');
  value = fieldOf(object, 'year');
  if (Number.isSafeInteger(value) || isInteger(issues, value, 'year')) {
  }
  value = fieldOf(object, 'month');
  if (Number.isSafeInteger(value) || isInteger(issues, value, 'month')) {
    if (value < 1) outOfRange(issues, 'too_small', 1, 'month');
    if (value > 12) outOfRange(issues, 'too_big', 12, 'month');
  }
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'totalSalary':
      case 'baseSalary': {
        if (!Number.isFinite(value)) wrongType(issues, 'number', key);
        break;
      }
      case 'values': {
        if (Array.isArray(value)) {
          const start = issues.length;
          const elements = value;
          for (let index = 0; index < elements.length && !issues.isDone; index++) {
            const value = elements[index];
            const start = issues.length;
            checkSalaryValue(value, issues);
            below(issues, start, index);
          }
          below(issues, start, key);
        } else wrongType(issues, 'array', key);
        break;
      }
    }
  }
}

function checkAbsence(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'id');
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  value = fieldOf(object, 'personId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'personId');
  value = fieldOf(object, 'startDate');
  if (typeof value === 'string') {
    report(issues, localDate(value), 'startDate');
  } else wrongType(issues, 'string', 'startDate');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'endDate': {
        if (typeof value === 'string') {
          report(issues, localDate(value), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'amount': {
        if (!Number.isFinite(value)) wrongType(issues, 'number', key);
        break;
      }
      case 'key': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
    }
  }
}

function checkChanges(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'cursor');
  if (typeof value === 'string') {
    report(issues, cursor(value), 'cursor');
  } else wrongType(issues, 'string', 'cursor');
  value = fieldOf(object, 'changed');
  if (Array.isArray(value)) {
    const start = issues.length;
    const elements = value;
    for (let index = 0; index < elements.length && !issues.isDone; index++) {
      const value = elements[index];
      if (typeof value !== 'string') wrongType(issues, 'string', index);
    }
    below(issues, start, 'changed');
  } else wrongType(issues, 'array', 'changed');
}

function checkWebhookEndpointWithSecret(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'id');
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  value = fieldOf(object, 'url');
  if (typeof value !== 'string') wrongType(issues, 'string', 'url');
  value = fieldOf(object, 'createdAt');
  if (typeof value !== 'string') wrongType(issues, 'string', 'createdAt');
  value = fieldOf(object, 'failures');
  if (Number.isSafeInteger(value) || isInteger(issues, value, 'failures')) {
  }
  value = fieldOf(object, 'secret');
  if (typeof value !== 'string') wrongType(issues, 'string', 'secret');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'failingSince':
      case 'pausedAt': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
    }
  }
}

function checkWebhookEndpoint(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'id');
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  value = fieldOf(object, 'url');
  if (typeof value !== 'string') wrongType(issues, 'string', 'url');
  value = fieldOf(object, 'createdAt');
  if (typeof value !== 'string') wrongType(issues, 'string', 'createdAt');
  value = fieldOf(object, 'failures');
  if (Number.isSafeInteger(value) || isInteger(issues, value, 'failures')) {
  }
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'failingSince':
      case 'pausedAt': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
    }
  }
}

function checkWebhookDelivery(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'messageId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'messageId');
  value = fieldOf(object, 'type');
  if (typeof value !== 'string') wrongType(issues, 'string', 'type');
  value = fieldOf(object, 'sentAt');
  if (typeof value !== 'string') wrongType(issues, 'string', 'sentAt');
  value = fieldOf(object, 'attempt');
  if (Number.isSafeInteger(value) || isInteger(issues, value, 'attempt')) {
  }
  value = fieldOf(object, 'durationMs');
  if (Number.isSafeInteger(value) || isInteger(issues, value, 'durationMs')) {
  }
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'status': {
        if (Number.isSafeInteger(value) || isInteger(issues, value, key)) {
        }
        break;
      }
      case 'failure': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
    }
  }
}

function checkPersonDelta(object: any, issues: IssueList): void {
  checkPerson(object, issues);
  if (!isObject(object)) return;
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'deleted':
      case 'erased': {
        if (value !== true) notAllowed(issues, value, [true], key);
        break;
      }
    }
  }
}

function checkTimeBookingDayDelta(object: any, issues: IssueList): void {
  checkTimeBookingDay(object, issues);
  if (!isObject(object)) return;
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'deleted': {
        if (value !== true) notAllowed(issues, value, [true], key);
        break;
      }
    }
  }
}

function checkTimeBookingPersonDelta(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'personId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'personId');
  value = fieldOf(object, 'days');
  if (Array.isArray(value)) {
    const start = issues.length;
    const elements = value;
    for (let index = 0; index < elements.length && !issues.isDone; index++) {
      const value = elements[index];
      const start = issues.length;
      checkTimeBookingDayDelta(value, issues);
      below(issues, start, index);
    }
    below(issues, start, 'days');
  } else wrongType(issues, 'array', 'days');
}

function checkAbsenceDelta(object: any, issues: IssueList): void {
  if (!isObject(object)) {
    wrongType(issues, 'object');
    return;
  }
  let value;
  value = fieldOf(object, 'id');
  if (typeof value !== 'string') wrongType(issues, 'string', 'id');
  value = fieldOf(object, 'personId');
  if (typeof value !== 'string') wrongType(issues, 'string', 'personId');
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    switch (key) {
      case 'startDate':
      case 'endDate': {
        if (typeof value === 'string') {
          report(issues, localDate(value), key);
        } else wrongType(issues, 'string', key);
        break;
      }
      case 'amount': {
        if (!Number.isFinite(value)) wrongType(issues, 'number', key);
        break;
      }
      case 'key': {
        if (typeof value !== 'string') wrongType(issues, 'string', key);
        break;
      }
      case 'deleted': {
        if (value !== true) notAllowed(issues, value, [true], key);
        break;
      }
    }
  }
}

export const pathChecks = {
  listPersons: copyListPersonsPath,
  updatePerson: copyUpdatePersonPath,
  submitVariablePayment: copySubmitVariablePaymentPath,
  listVariablePayments: copySubmitVariablePaymentPath,
  listVariablePaymentDecisions: copyListPersonsPath,
  listTimeBookings: copyListPersonsPath,
  listSalaryHistory: copySubmitVariablePaymentPath,
  listAllSalaries: copyListPersonsPath,
  listAbsences: copyListAbsencesPath,
  listAllAbsences: copyListPersonsPath,
  getChanges: copyListPersonsPath,
  createWebhookEndpoint: copyListPersonsPath,
  listWebhookEndpoints: copyListPersonsPath,
  listWebhookDeliveries: copyListWebhookDeliveriesPath,
  testWebhookEndpoint: copyListWebhookDeliveriesPath,
  rotateWebhookSecret: copyListWebhookDeliveriesPath,
  deleteWebhookEndpoint: copyListWebhookDeliveriesPath,
};

export const queryChecks = {
  listPersons: copyListPersonsQuery,
  updatePerson: copyListPersonsPath,
  submitVariablePayment: copySubmitVariablePaymentQuery,
  listVariablePayments: copyListVariablePaymentsQuery,
  listVariablePaymentDecisions: copyListVariablePaymentDecisionsQuery,
  listTimeBookings: copyListTimeBookingsQuery,
  listSalaryHistory: copyListSalaryHistoryQuery,
  listAllSalaries: copyListSalaryHistoryQuery,
  listAbsences: copyListAbsencesQuery,
  listAllAbsences: copyListTimeBookingsQuery,
  getChanges: copyGetChangesQuery,
  createWebhookEndpoint: copyListPersonsPath,
  listWebhookEndpoints: copyListPersonsPath,
  listWebhookDeliveries: copyListPersonsPath,
  testWebhookEndpoint: copyListPersonsPath,
  rotateWebhookSecret: copyListPersonsPath,
  deleteWebhookEndpoint: copyListPersonsPath,
};

export const bodyChecks = {
  updatePerson: copyPersonPatch,
  submitVariablePayment: copyVariablePaymentRequest,
  createWebhookEndpoint: copyNewWebhookEndpoint,
};

export const responseChecks = {
  listPersons: checkPerson,
  updatePerson: checkPerson,
  submitVariablePayment: checkVariablePayment,
  listVariablePayments: checkVariablePayment,
  listVariablePaymentDecisions: checkVariablePaymentDecision,
  listTimeBookings: checkTimeBookingPerson,
  listSalaryHistory: checkSalaryHistoryEntry,
  listAllSalaries: checkSalaryHistoryEntry,
  listAbsences: checkAbsence,
  listAllAbsences: checkAbsence,
  getChanges: checkChanges,
  createWebhookEndpoint: checkWebhookEndpointWithSecret,
  listWebhookEndpoints: checkWebhookEndpoint,
  listWebhookDeliveries: checkWebhookDelivery,
  testWebhookEndpoint: checkWebhookDelivery,
  rotateWebhookSecret: checkWebhookEndpointWithSecret,
  deleteWebhookEndpoint: checkWebhookEndpoint,
};

export const changeChecks = {
  listPersons: checkPersonDelta,
  listTimeBookings: checkTimeBookingPersonDelta,
  listAbsences: checkAbsenceDelta,
  listAllAbsences: checkAbsenceDelta,
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
