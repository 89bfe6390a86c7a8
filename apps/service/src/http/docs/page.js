const dark = matchMedia('(prefers-color-scheme: dark)');
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColorScheme);
followColorScheme();

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  plugins: [quietPage],
});

/** What differs from Swagger UI as it comes. */
function quietPage({ React }) {
  const nothing = () => null;
  return {
    components: {
      AuthorizeBtnContainer: signInForm(React),
      authorizeOperationBtn: nothing,
      OAS31License: nothing,
      ServersContainer: nothing,
    },
    wrapComponents: {
      curl: withoutToken(React),
      SyntaxHighlighter: ofShortText(React),
    },
  };
}

/** A form for the client credentials. Only the token is kept, and only as long as the page is open. */
function signInForm({ createElement, useState }) {
  const scheme = 'oauth2';

  return ({ authActions, authSelectors, specSelectors }) => {
    const [refusal, setRefusal] = useState('');
    const clientId = authSelectors.authorized().getIn([scheme, 'clientId']);
    const { tokenUrl, scopes } = specSelectors
      .specJson()
      .getIn(['components', 'securitySchemes', scheme, 'flows', 'clientCredentials'])
      .toJS();

    async function signIn(event) {
      event.preventDefault();
      setRefusal('');
      const body = new URLSearchParams(new FormData(event.target));
      body.set('grant_type', 'client_credentials');
      body.set('scope', Object.keys(scopes).join(' '));
      try {
        const response = await fetch(tokenUrl, { method: 'POST', body });
        const token = await response.json();
        if (!response.ok) throw new Error(token.error_description ?? token.detail);
        authActions.authorizeOauth2({ auth: { name: scheme, schema: { type: scheme }, clientId: body.get('client_id') }, token });
      } catch (error) {
        setRefusal(error.message);
      }
    }

    if (clientId !== undefined) {
      return createElement(
        'div',
        { className: 'sign-in', role: 'status' },
        createElement('span', null, 'Signed in as ', createElement('strong', null, clientId)),
        createElement('button', { className: 'btn', onClick: () => authActions.logout([scheme]) }, 'Sign out'),
      );
    }
    const field = (name, label, attributes) =>
      createElement('label', null, label, createElement('input', { name, required: true, spellCheck: false, ...attributes }));
    return createElement(
      'form',
      { className: 'sign-in', onSubmit: signIn },
      field('client_id', 'Client id', { autoComplete: 'off' }),
      field('client_secret', 'Client secret', { type: 'password', autoComplete: 'off' }),
      createElement('button', { className: 'btn execute' }, 'Sign in'),
      createElement('output', { role: 'alert' }, refusal),
    );
  };
}

/** The command to copy names the token and does not show it: it is pasted into tickets and chats. */
function withoutToken({ createElement }) {
  const place = ['headers', 'Authorization'];
  return (Curl) => (properties) => {
    const { request } = properties;
    return createElement(Curl, {
      ...properties,
      request: request.hasIn(place) ? request.setIn(place, 'Bearer TOKEN') : request,
    });
  };
}

const MOST_COLOURED_CHARACTERS = 100_000;

/** Long answers are shown without colours, which would hold the page up. */
function ofShortText({ createElement }) {
  return (SyntaxHighlighter, { getComponent }) => (properties) =>
    properties.children.length > MOST_COLOURED_CHARACTERS
      ? properties.renderPlainText({ ...properties, PlainTextViewer: getComponent('PlainTextViewer') })
      : createElement(SyntaxHighlighter, properties);
}
