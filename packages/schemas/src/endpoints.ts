/** The method and the path of each operation (section 4), and whether it responds with an array. */
export const endpoints = {
  listPersons: { method: 'GET', path: '/api/v1/persons', list: true },
  updatePerson: { method: 'PATCH', path: '/api/v1/persons/{id}', list: false },
  submitVariablePayment: {
    method: 'POST',
    path: '/api/v1/payrollContract/{contractId}/variable-payments',
    list: false,
  },
  listVariablePayments: {
    method: 'GET',
    path: '/api/v1/payrollContract/{contractId}/variable-payments',
    list: true,
  },
  listTimeBookings: { method: 'GET', path: '/api/v1/time-bookings', list: true },
  listSalaryHistory: { method: 'GET', path: '/api/v1/payrollContract/{contractId}/salaries/history', list: true },
  listAbsences: { method: 'GET', path: '/api/v1/persons/{personId}/absences', list: true },
} as const;
