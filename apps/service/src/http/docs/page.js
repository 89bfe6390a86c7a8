import { curlWithoutToken } from './curl-without-token.js';
import { signInForm } from './sign-in-form.js';

// Swagger UI has dark colours, and leaves it to the page when.
const dark = matchMedia('(prefers-color-scheme: dark)');
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColorScheme);
followColorScheme();

const nothing = () => null;

globalThis.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // Colours would hold long answers up.
  syntaxHighlight: false,
  plugins: [
    ({ React }) => ({
      components: {
        AuthorizeBtnContainer: signInForm(React),
        authorizeOperationBtn: nothing,
        OAS31License: nothing,
        ServersContainer: nothing,
      },
      wrapComponents: { curl: curlWithoutToken(React) },
    }),
  ],
});
