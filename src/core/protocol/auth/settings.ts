/** Dialect options of authentication; part of `conduct`. */
import { z } from 'zod'
import { Duration } from '../duration.ts'
import { credentialModels, grantTypes } from '../discovery/manifest.ts'
import { merchantLists } from './merchants.ts'
import { scopePreferences } from './scopes.ts'
import { tokenUnits } from './token.ts'
import { strictObject } from '../../base/lazy-object.ts'
import { onOrOff, filledText, oneWord } from '../setting.ts'

export const authSettings = () => ({
  grantTypes: z
    .array(z.enum(grantTypes))
    .min(1)
    .default(['client_credentials'])
    .describe('ways to a token that are declared and served (AUT-CRE-03)'),
  consent: oneWord(['granted', 'denied'], 'granted').describe(
    'the outcome of GET /oauth/authorize, without a person',
  ),
  clientIdGeneration: z
    .array(z.enum(credentialModels))
    .min(1)
    .optional()
    .describe('credentials per application or per merchant; by the clients there are when absent'),
  tokenLife: Duration.default(3_600_000).describe('how long a token lives'),
  tokenUnit: oneWord(tokenUnits, 'seconds').describe(
    'how expires_in is written: seconds from now, or an epoch in milliseconds',
  ),
  tokenGrant: filledText('client_credentials').describe(
    'what grant_type is called that asks for a token with client credentials',
  ),
  tokenRequest: oneWord(['form', 'json'], 'form').describe('how we ask for a token (AUT-UND-03)'),
  tokenScopes: onOrOff(true).describe(
    'our token requests name the scopes that we need (AUT-UND-03)',
  ),
  scopesAsked: strictObject(() => ({
    logistics: oneWord(scopePreferences, 'fine').describe('for Logistics'),
    crm: oneWord(scopePreferences, 'domain').describe('for Customer and Loyalty'),
  }))
    .prefault({})
    .describe('scopes that we ask for where a domain has finer ones (AUT-TEN-01, AUT-TEN-03)'),
  strict: onOrOff(false).describe(
    'take and ask for only the finer scope of an operation, where it has one',
  ),
  merchantList: oneWord(merchantLists, 'paged').describe(
    'body of GET /merchants: { merchants, pagination }, or an array (AUT-UND-02)',
  ),
})
