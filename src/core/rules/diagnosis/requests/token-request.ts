/** Mistakes of a token request: the credentials, where they are, and the grant. */
import { findClosestName } from '../../../protocol/closest-name.ts'
import { bodyTranslator } from '../../../protocol/translation/translator.ts'
import { tryParseJson } from '../../../traffic/json/try-parse-json.ts'
import { tokenFieldsIn, withTokenNames } from '../../../traffic/token-fields.ts'
import type { Mistake } from '../mistake.ts'
import { clientIds, credentialsText, type RefusedRequest } from './refused-request.ts'

const isTokenRequest = ({ row }: RefusedRequest): boolean => row?.id === 'issueToken'

const onlyToken =
  (lineFor: (request: RefusedRequest, fields: ReadonlyMap<string, string>) => string | undefined) =>
  (request: RefusedRequest): string | undefined => {
    const line = isTokenRequest(request) ? lineFor(request, fieldsOf(request)) : undefined
    return line && withTokenNames(line, request.settings.conduct)
  }

const isForm = (text: string): boolean => /^[\w.-]+=[^{}\s]*/.test(text)

const isFormType = (type: string | undefined): boolean =>
  (type ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded')

/** The fields of the body, whatever its Content-Type says that it is. */
function fieldsOf({ body, settings }: RefusedRequest): ReadonlyMap<string, string> {
  const text = body.trim()
  const isRead = isForm(text) || tryParseJson(text) !== undefined
  const fields = isRead ? tokenFieldsIn(text, bodyTranslator(settings.conduct)) : {}
  return new Map(
    Object.entries(fields).flatMap(([name, each]) =>
      typeof each === 'string' ? [[name, each] as const] : [],
    ),
  )
}

const inTheBody = 'send client_id, client_secret and grant_type=client_credentials in the body'

/** Names under which clients send the two fields. */
const fieldNames = ['client_id', 'client_secret'] as const

const quoted = (text: string): string => JSON.stringify(text.slice(0, 60))

export const tokenRequestMistakes: readonly Mistake<RefusedRequest>[] = [
  {
    name: 'credentials-in-basic',
    clauses: ['AUT-TOK-02'],
    lineFor: onlyToken(({ header }, fields) =>
      /^basic\b/i.test(header('authorization') ?? '') && !fields.has('client_secret')
        ? `the credentials are in the header Authorization: Basic, where they are not read: ${inTheBody}`
        : undefined,
    ),
  },
  {
    name: 'credentials-in-query',
    clauses: ['AUT-TOK-02'],
    lineFor: onlyToken(({ query }, fields) =>
      /(?:^|&)client_id=/.test(query) && !fields.has('client_id')
        ? `the credentials are in the query, where they are not read: ${inTheBody}`
        : undefined,
    ),
  },
  {
    name: 'credentials-in-multipart',
    clauses: ['TRN-HDR-02'],
    lineFor: onlyToken(({ header }) =>
      /^multipart\//i.test(header('content-type') ?? '')
        ? `the body is ${header('content-type')?.split(';')[0]}, which is not read: send client_id, client_secret and grant_type=client_credentials as application/x-www-form-urlencoded, or as JSON`
        : undefined,
    ),
  },
  {
    name: 'form-without-its-type',
    clauses: ['TRN-HDR-02'],
    lineFor: onlyToken(({ body, header }) =>
      isForm(body.trim()) && !isFormType(header('content-type'))
        ? `the body is a form and its Content-Type is ${header('content-type')?.slice(0, 60) ?? 'missing'}: send Content-Type: application/x-www-form-urlencoded, or JSON as application/json`
        : undefined,
    ),
  },
  {
    name: 'json-sent-as-a-form',
    clauses: ['TRN-HDR-02'],
    lineFor: onlyToken(({ body, header }, fields) =>
      fields.size > 0 && !isForm(body.trim()) && isFormType(header('content-type'))
        ? `the body is JSON and its Content-Type is ${header('content-type')?.slice(0, 60)}: send Content-Type: application/json, or a form as application/x-www-form-urlencoded`
        : undefined,
    ),
  },
  {
    name: 'empty-token-request',
    clauses: ['AUT-TOK-02'],
    lineFor: onlyToken(({ body, settings }) =>
      body.trim() === ''
        ? `the token request has no body: ${inTheBody} (${credentialsText(settings)})`
        : undefined,
    ),
  },
  {
    name: 'credential-fields-misnamed',
    clauses: ['AUT-TOK-02'],
    lineFor: onlyToken((_request, fields) => {
      const missing = fieldNames.filter((name) => !fields.has(name))
      const sent = [...fields.keys()].filter((name) => !fieldNames.some((each) => each === name))
      for (const name of missing) {
        const plain = (text: string): string => text.replaceAll(/[_-]/g, '').toLowerCase()
        const meant =
          sent.find((each) => plain(each) === plain(name)) ?? findClosestName(name, sent)
        if (meant !== undefined)
          return `the field ${meant.slice(0, 60)} is named ${name} here: ${inTheBody}`
      }
      return undefined
    }),
  },
  {
    name: 'unknown-client-id',
    clauses: ['AUT-TOK-02'],
    lineFor: onlyToken(({ refusal, settings }, fields) => {
      const clientId = fields.get('client_id')
      if (refusal.code !== 'UNAUTHORIZED' || clientId === undefined) return undefined
      if (settings.clients.some((client) => client.clientId === clientId)) return undefined
      const known = clientIds(settings)
      const others = known.length > 1 ? ` (also known: ${known.slice(1, 5).join(', ')})` : ''
      return `there is no client ${quoted(clientId)} here: your service is ${credentialsText(settings)}${others}`
    }),
  },
  {
    name: 'wrong-secret',
    clauses: ['AUT-TOK-02'],
    lineFor: onlyToken(({ refusal, settings }, fields) => {
      const client = settings.clients.find(({ clientId }) => clientId === fields.get('client_id'))
      if (refusal.code !== 'UNAUTHORIZED' || !client) return undefined
      return client.clientSecret === fields.get('client_secret')
        ? undefined
        : `the client secret of ${client.clientId} is wrong: your service is ${credentialsText(settings, client.role === settings.subject ? client : undefined)}`
    }),
  },
  {
    name: 'wrong-grant-type',
    clauses: ['AUT-CRE-03', 'AUT-TOK-02'],
    lineFor: onlyToken(({ settings }, fields) => {
      const grant = fields.get('grant_type')
      const { grantTypes, tokenGrant } = settings.conduct
      const served: readonly string[] = [...new Set([tokenGrant, ...grantTypes])]
      if (grant === undefined || served.includes(grant)) return undefined
      const refresh = grant === 'refresh_token' ? '; there are no refresh tokens' : ''
      return `grant_type ${quoted(grant)} is not served: send grant_type=${served.join(' or ')}${refresh}`
    }),
  },
]
