import { inBoth } from '../model/in-both.ts';

/** What the operations of the service do. It may have some that the console does not know. */
export const operationNames = inBoth({
  listPersons: ['List persons', 'Personen auflisten'],
  updatePerson: ['Change a person', 'Person ändern'],
  submitVariablePayment: ['Submit a variable payment', 'Variable Zahlung einreichen'],
  listVariablePayments: ['List approved variable payments', 'Freigegebene variable Zahlungen auflisten'],
  listTimeBookings: ['List time bookings', 'Zeitbuchungen auflisten'],
  listSalaryHistory: ['Read a salary history', 'Gehaltshistorie lesen'],
  listAbsences: ['List absences of a person', 'Abwesenheiten einer Person auflisten'],
  listVariablePaymentDecisions: [
    'List decisions on variable payments',
    'Entscheidungen über variable Zahlungen auflisten',
  ],
  listAllSalaries: ['Read all salaries', 'Alle Gehälter lesen'],
  listAllAbsences: ['List absences of all persons', 'Abwesenheiten aller Personen auflisten'],
  getChanges: ['Wait for changes', 'Auf Änderungen warten'],
  createWebhookEndpoint: ['Register a webhook endpoint', 'Webhook-Endpunkt anmelden'],
  listWebhookEndpoints: ['List webhook endpoints', 'Webhook-Endpunkte auflisten'],
  listWebhookDeliveries: [
    'List attempts to send to a webhook endpoint',
    'Zustellversuche an einen Webhook-Endpunkt auflisten',
  ],
  testWebhookEndpoint: ['Send a test to a webhook endpoint', 'Testmeldung an einen Webhook-Endpunkt senden'],
  rotateWebhookSecret: ['Rotate the secret of a webhook endpoint', 'Secret eines Webhook-Endpunkts erneuern'],
  deleteWebhookEndpoint: ['Remove a webhook endpoint', 'Webhook-Endpunkt entfernen'],
  requestToken: ['Get an access token', 'Zugriffstoken abrufen'],
  revokeToken: ['Revoke an access token', 'Zugriffstoken widerrufen'],
  introspectToken: ['Check an access token', 'Zugriffstoken prüfen'],
  importFeed: ['Import a person', 'Person importieren'],
  pruneAudit: ['Delete old audit events', 'Alte Protokolleinträge löschen'],
  operatorListVariablePayments: ['List variable payments in any state', 'Variable Zahlungen in jedem Status auflisten'],
  operatorCountVariablePayments: ['Count variable payments', 'Variable Zahlungen zählen'],
  operatorApproveVariablePayment: ['Approve a variable payment', 'Variable Zahlung freigeben'],
  operatorRejectVariablePayment: ['Reject a variable payment', 'Variable Zahlung ablehnen'],
  operatorListClients: ['List clients', 'Clients auflisten'],
  operatorListClientActivity: ['Read the last events of each client', 'Letzte Zugriffe aller Clients lesen'],
  operatorCreateClient: ['Create a client', 'Client anlegen'],
  operatorGrantClient: ['Set what a client may use and see', 'Berechtigungen eines Clients ändern'],
  operatorDisableClient: ['Disable a client', 'Client sperren'],
  operatorEnableClient: ['Enable a client', 'Client entsperren'],
  operatorRotateSecret: ['Rotate the secret of a client', 'Secret eines Clients erneuern'],
  operatorAddCredentialKey: ['Rotate the key of secrets and tokens', 'Schlüssel der Secrets und Tokens erneuern'],
  operatorListCustomFields: ['List the custom fields of clients', 'Freigegebene Zusatzfelder auflisten'],
  operatorGetCustomFields: ['Read the custom fields of a client', 'Zusatzfelder eines Clients lesen'],
  operatorAllowCustomFields: ['Let a client see custom fields', 'Zusatzfelder für einen Client freigeben'],
  operatorDenyCustomFields: ['Hide custom fields from a client', 'Zusatzfelder für einen Client sperren'],
  operatorImportFeed: ['Import a feed', 'Datei importieren'],
  operatorListImports: ['List imports', 'Importe auflisten'],
  operatorCancelImport: ['Cancel an import', 'Import abbrechen'],
  operatorGetImport: ['Read the state of an import', 'Stand eines Imports lesen'],
  operatorListWebhookEndpoints: [
    'List the webhook endpoints of all clients',
    'Webhook-Endpunkte aller Clients auflisten',
  ],
  operatorPauseWebhookEndpoint: ['Pause a webhook endpoint', 'Webhook-Endpunkt anhalten'],
  operatorResumeWebhookEndpoint: ['Resume a webhook endpoint', 'Webhook-Endpunkt fortsetzen'],
  operatorRemoveWebhookEndpoint: ['Remove a webhook endpoint of a client', 'Webhook-Endpunkt eines Clients entfernen'],
  pauseWebhookEndpoint: ['Pause a webhook endpoint that fails', 'Fehlschlagenden Webhook-Endpunkt anhalten'],
  removeWebhookEndpoint: [
    'Remove a webhook endpoint that is gone',
    'Nicht mehr vorhandenen Webhook-Endpunkt entfernen',
  ],
  operatorListAuditEvents: ['Read the audit', 'Zugriffsprotokoll lesen'],
  operatorExportPerson: ['Export all data of a person', 'Alle Daten einer Person exportieren'],
  operatorErasePerson: ['Erase all data of a person', 'Alle Daten einer Person löschen'],
  operatorReadmitPerson: ['Let an erased person be imported again', 'Gelöschte Person wieder zum Import zulassen'],
});

/** Says what an operation does, in the language of `names`. */
export function operationText(names: Readonly<Record<string, string>>, operation: string): string {
  return names[operation] ?? operation;
}

export function systemText(names: Readonly<Record<string, string>>, system: string): string {
  return names[system] ?? system;
}
