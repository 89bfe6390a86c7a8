import { printable } from '@hr/text/printable';
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  clockTolerance,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type Configuration,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import { z } from 'zod';
import { SIGN_IN_PATH } from '../model/sign-in.ts';
import type { ProviderSettings } from './config.ts';
import type { EndedSessions, User } from './records.ts';

/** What has to be known when the provider sends the browser back. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** A person whom the provider has just named, and what it takes to ask it again. */
export interface Identity {
  readonly user: User;
  /** Of the session at the provider. */
  readonly sid: string | undefined;
  readonly tokens: ProviderTokens;
}

/** They stay in the backend. */
export interface ProviderTokens {
  readonly subject: string;
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

/** The provider names the person no more, or says something that it must not. */
export class IdentityEndedError extends Error {
  override readonly name = 'IdentityEndedError';
}

export const CALLBACK_PATH = '/oidc/callback';
export const BACK_CHANNEL_PATH = '/oidc/back-channel-logout';
const TIMEOUT_SECONDS = 8;
const SKEW_SECONDS = 30;
/** So old is the metadata of the provider at most. */
const METADATA_MS = 3_600_000;
/** Codes of jose and openid-client for tokens and responses that are not of the provider, or not about the person. */
const NOT_OF_PROVIDER = /^(?:ERR_JW[ST]_|ERR_JWKS_NO_MATCHING|OAUTH_(?:JWT|JSON|INVALID))/;
/** The audit of the service takes no longer one. */
const MAX_ID_LENGTH = 400;
/** Between two readings of the keys. */
const KEYS_PAUSE_MS = 1000;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_LOGOUT_AGE = '5 minutes';

const LogoutClaims = z
  .object({
    sub: z.string().optional(),
    sid: z.string().optional(),
    jti: z.string(),
    events: z.object({ [LOGOUT_EVENT]: z.looseObject({}) }),
    nonce: z.never().optional(),
    iat: z.number(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

type Claims = Readonly<Record<string, unknown>>;
type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** The identity provider, as the client that the console is there (OpenID Connect Core 1.0). */
export class IdentityProvider {
  readonly #settings: ProviderSettings;
  readonly #origin: () => string;
  #found: { readonly at: number; readonly configuration: Promise<Configuration> } | undefined;
  #keys: ReturnType<typeof createRemoteJWKSet> | undefined;

  /** @param origin - That browsers use. */
  constructor(settings: ProviderSettings, origin: () => string) {
    this.#settings = settings;
    this.#origin = origin;
  }

  /** Reads the metadata of the provider. A failure is not kept. */
  async #configuration(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    if (this.#found === undefined || Date.now() - this.#found.at > METADATA_MS) {
      const configuration = discovery(
        new URL(issuer),
        clientId,
        { [clockTolerance]: SKEW_SECONDS },
        ClientSecretPost(clientSecret),
        {
          timeout: TIMEOUT_SECONDS,
          // oxlint-disable-next-line typescript/no-deprecated -- deprecated to stand out; only for a provider on this computer
          execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
        },
      );
      this.#found = { at: Date.now(), configuration };
      this.#keys = undefined;
      configuration.catch(() => (this.#found = undefined));
    }
    return await this.#found.configuration;
  }

  /**
   * Begins a sign-in: returns where the browser has to go, and what its way back is checked with.
   *
   * @param asks - Whether the provider asks who it is, also if it knows somebody (OpenID Connect Core 1.0, section 3.1.2.1).
   */
  async begin(asks: boolean): Promise<{ readonly address: URL; readonly checks: LoginChecks }> {
    const configuration = await this.#configuration();
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#origin() + CALLBACK_PATH,
      scope: this.#settings.scope,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
      ...(asks && { prompt: 'login' }),
    });
    return { address, checks };
  }

  /**
   * Ends a sign-in by the code with which the browser came back.
   *
   * @param address - That the browser came back to, with its parameters.
   */
  async end(address: URL, { state, nonce, verifier }: LoginChecks): Promise<Identity> {
    const configuration = await this.#configuration();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    return await this.#identity(configuration, await authorizationCodeGrant(configuration, address, checks));
  }

  /**
   * Asks whether the person is still who they were, and for their roles.
   *
   * @throws {IdentityEndedError} If the provider says no. All else means that it cannot be asked now.
   */
  async check(tokens: ProviderTokens): Promise<Identity> {
    const configuration = await this.#configuration();
    try {
      if (tokens.refreshToken !== undefined) {
        const refreshed = await refreshTokenGrant(configuration, tokens.refreshToken);
        return await this.#identity(configuration, refreshed, tokens);
      }
      const claims = await fetchUserInfo(configuration, tokens.accessToken, tokens.subject);
      return { user: this.#userOf(claims), sid: undefined, tokens };
    } catch (error) {
      const isRefused = error instanceof ResponseBodyError && error.error === 'invalid_grant';
      const { code = '' } = error as { readonly code?: string };
      if (isRefused || error instanceof WWWAuthenticateChallengeError || NOT_OF_PROVIDER.test(code)) {
        throw new IdentityEndedError();
      }
      throw error;
    }
  }

  async #identity(configuration: Configuration, tokens: Tokens, before?: ProviderTokens): Promise<Identity> {
    if (tokens.id_token !== undefined) await this.#verify(configuration, tokens.id_token);
    const named = tokens.claims();
    const subject = named?.sub ?? before?.subject ?? '';
    // The response to a refresh may have no ID token, but never one of another person (section 12.2).
    if (before !== undefined && subject !== before.subject) throw new IdentityEndedError();
    const hasAll = named !== undefined && this.#settings.rolesClaim in named;
    const isTold = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasAll || !isTold ? {} : await fetchUserInfo(configuration, tokens.access_token, subject);
    return {
      user: this.#userOf({ ...more, ...named, sub: subject }),
      sid: typeof named?.['sid'] === 'string' ? named['sid'] : undefined,
      tokens: {
        subject,
        idToken: tokens.id_token ?? before?.idToken ?? '',
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? before?.refreshToken,
      },
    };
  }

  #userOf(claims: Claims): User {
    const { rolesClaim, roles, employeeNumberClaim } = this.#settings;
    const text = (name: string): string | undefined => {
      const value = claims[name];
      return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    };
    // People choose names themselves at some providers, and others read them in lists and terminals.
    const shown = (name: string): string | undefined => printable(text(name) ?? '') || undefined;
    const subject = text('sub') ?? '';
    const login = shown('email') ?? shown('preferred_username') ?? printable(subject);
    // Anybody can write any address into their profile of some providers.
    const isTheirs = rolesClaim !== 'email' || claims['email_verified'] === true;
    const values = new Set(isTheirs ? [claims[rolesClaim]].flat() : []);
    return {
      id: this.#userId(subject),
      name: shown('name') ?? login,
      login,
      grants: Object.entries(roles).flatMap(([value, grant]) => (values.has(value) ? [grant] : [])),
      employeeNumber: employeeNumberClaim === undefined ? undefined : text(employeeNumberClaim),
    };
  }

  #userId(subject: string): string {
    const id = `${this.#settings.issuer}#${encodeURIComponent(subject)}`;
    if (id.length > MAX_ID_LENGTH) throw new RangeError('The subject is too long.');
    return id;
  }

  /** Where a browser has to go to sign out at the provider, too; undefined if it has no such place. */
  async logoutAddress(idToken: string): Promise<URL | undefined> {
    const configuration = await this.#configuration();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    const back = this.#origin() + SIGN_IN_PATH;
    return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: back });
  }

  /**
   * Reads a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6).
   *
   * @throws If it is not one of the provider for this console, or not new.
   */
  async readLogout(token: string): Promise<EndedSessions> {
    const { sub, sid, iat } = LogoutClaims.parse(
      await this.#verify(await this.#configuration(), token, { maxTokenAge: MAX_LOGOUT_AGE }),
    );
    return { userId: sub === undefined ? undefined : this.#userId(sub), sid, before: (iat + 1) * 1000 };
  }

  /** Verifies a token of the provider for this console. It may have been signed with a key that is new. */
  async #verify(configuration: Configuration, token: string, options: JWTVerifyOptions = {}): Promise<JWTPayload> {
    const { issuer, jwks_uri: keys = '' } = configuration.serverMetadata();
    this.#keys ??= createRemoteJWKSet(new URL(keys), {
      timeoutDuration: TIMEOUT_SECONDS * 1000,
      cooldownDuration: KEYS_PAUSE_MS,
    });
    const expected = { issuer, audience: this.#settings.clientId, clockTolerance: SKEW_SECONDS };
    return (await jwtVerify(token, this.#keys, { ...expected, ...options })).payload;
  }
}
