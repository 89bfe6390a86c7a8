const [form, signedIn] = document.querySelectorAll('form, header > p');
const [refusal, clientId, signOut] = document.querySelectorAll('[role=alert], output, output + button');

/** In memory only. Nothing keeps the secret. */
let token;

function showToken(newToken, name = '') {
  token = newToken;
  clientId.textContent = `Signed in as ${name}`;
  form.hidden = token !== undefined;
  signedIn.hidden = token === undefined;
}
signOut.addEventListener('click', () => showToken(undefined));

/** Requests a token from the document's token endpoint (RFC 6749, section 4.4). */
async function signIn(tokenUrl) {
  refusal.textContent = '';
  const body = new URLSearchParams(new FormData(form));
  body.set('grant_type', 'client_credentials');
  try {
    const response = await fetch(tokenUrl, { method: 'POST', body });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error_description ?? answer.detail);
    showToken(answer.access_token, body.get('client_id'));
    form.reset();
  } catch (error) {
    refusal.textContent = error.message;
  }
}

const nothing = () => null;

const ui = globalThis.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // Colours would hold long answers up.
  syntaxHighlight: false,
  // The command to copy names the token instead of showing it: commands are pasted into tickets and chats.
  showMutatedRequest: false,
  requestInterceptor(request) {
    if (token === undefined) delete request.headers.Authorization;
    else if (request.headers.Authorization) request.headers.Authorization = `Bearer ${token}`;
    return request;
  },
  onComplete() {
    const { scopes, tokenUrl } = ui.specSelectors
      .specJson()
      .getIn(['components', 'securitySchemes', 'oauth2', 'flows', 'clientCredentials'])
      .toJS();
    form.elements.scope.append(...Object.keys(scopes).map((scope) => new Option(scope)));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void signIn(tokenUrl);
    });
    const auth = { name: 'oauth2', schema: { type: 'oauth2' } };
    ui.authActions.authorizeOauth2({ auth, token: { access_token: 'TOKEN', token_type: 'Bearer' } });
  },
  plugins: [
    ({ React: { createElement } }) => ({
      components: {
        AuthorizeBtnContainer: nothing,
        authorizeOperationBtn: nothing,
        OAS31License: nothing,
        ServersContainer: nothing,
        // It is inside a button, which shows the operation and its address.
        DeepLink: ({ text }) => createElement('span', null, text),
        // It scrolls, which needs the focus.
        PlainTextViewer: ({ children }) => createElement('pre', { className: 'microlight', tabIndex: 0 }, children),
      },
      // Its field has no name.
      wrapComponents: {
        ExamplesSelect: (Select) => (props) => createElement('label', null, 'Example', createElement(Select, props)),
      },
    }),
  ],
});
