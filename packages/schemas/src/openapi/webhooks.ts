/** The webhooks of the OpenAPI document. */
export const webhooks = {
  changes: {
    post: {
      operationId: 'changesWebhook',
      tags: ['Changes'],
      summary: 'Tells that something changed',
      description:
        'Sent to each webhook endpoint of a client that may see what changed, signed as in Standard Webhooks (https://www.standardwebhooks.com). It contains no personal data: read the lists that changed with the last cursor that you have. Notices come in order and at least once, and one tells of all changes since the one before. Respond with 2xx within 15 seconds; otherwise it is sent again for three days. With 410 the endpoint is removed.',
      security: [],
      parameters: [
        header('webhook-id', 'The same in each attempt to send the same notice.'),
        header('webhook-timestamp', 'When it was sent, in seconds since 1970. Refuse old ones.'),
        header('webhook-signature', 'One or more of `v1,BASE64`, separated by spaces. One that fits is enough.'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['type', 'timestamp', 'data'],
              properties: {
                type: { type: 'string', enum: ['changes', 'test'], description: 'A test has no data.' },
                timestamp: {
                  type: 'string',
                  format: 'date-time',
                  description: 'When the last of the changes happened.',
                },
                data: { anyOf: [{ $ref: '#/components/schemas/Changes' }, { type: 'object', maxProperties: 0 }] },
              },
            },
          },
        },
      },
      responses: {
        '2XX': { description: 'The receiver knows.' },
        '4XX': { description: 'It is sent again; after 410 never.' },
      },
    },
  },
};

function header(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
