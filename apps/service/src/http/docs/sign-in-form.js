const SCHEME = 'oauth2';

/** The form for the client credentials. Swagger UI keeps the token, in memory; nothing keeps the secret. */
export function signInForm({ createElement, useState }) {
  return ({ authActions, authSelectors, specSelectors }) => {
    const [refusal, setRefusal] = useState('');
    const clientId = authSelectors.authorized().getIn([SCHEME, 'clientId']);

    async function signIn(event) {
      event.preventDefault();
      setRefusal('');
      const form = new FormData(event.target);
      try {
        const token = await requestToken(specSelectors.specJson(), form);
        authActions.authorizeOauth2({
          auth: { name: SCHEME, schema: { type: SCHEME }, clientId: form.get('client_id') },
          token,
        });
      } catch (error) {
        setRefusal(error.message);
      }
    }

    if (clientId !== undefined) {
      return createElement(
        'div',
        { className: 'sign-in' },
        createElement('output', null, 'Signed in as ', createElement('strong', null, clientId)),
        createElement('button', { className: 'btn', onClick: () => authActions.logout([SCHEME]) }, 'Sign out'),
      );
    }
    const field = (label, attributes) =>
      createElement(
        'label',
        null,
        label,
        createElement('input', { required: true, autoComplete: 'off', spellCheck: false, ...attributes }),
      );
    return createElement(
      'form',
      { className: 'sign-in', onSubmit: signIn },
      field('Client id', { name: 'client_id' }),
      field('Client secret', { name: 'client_secret', type: 'password' }),
      createElement(
        'label',
        null,
        'Scope',
        createElement(
          'select',
          { name: 'scope' },
          Object.keys(flowOf(specSelectors.specJson()).scopes).map((scope) =>
            createElement('option', { key: scope }, scope),
          ),
        ),
      ),
      createElement('button', { className: 'btn execute' }, 'Sign in'),
      createElement('p', { role: 'alert' }, refusal),
    );
  };
}

/** Requests a token from the document's token endpoint (RFC 6749, section 4.4). */
async function requestToken(document, form) {
  const body = new URLSearchParams(form);
  body.set('grant_type', 'client_credentials');
  const response = await fetch(flowOf(document).tokenUrl, { method: 'POST', body });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error_description ?? answer.detail);
  return answer;
}

function flowOf(document) {
  return document.getIn(['components', 'securitySchemes', SCHEME, 'flows', 'clientCredentials']).toJS();
}
